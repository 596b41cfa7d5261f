package instance

// Serve is not available on Windows, where the other end of a socket cannot be
// asked for its user; the folder stays locked all the same.
func (h *Held) Serve(raise func()) error { return ErrNoRaise }

// Raise is not available on Windows.
func Raise(dir string) error { return ErrNoRaise }

package app

import "net/http"

// The frame serves each answer to the page through a pipe that is not marked
// close-on-exec. A server started in that moment would inherit it: the page
// would wait for ever for the end of its script, and the child could write
// into it. So no child is started before the page's own files are loaded
// (App.pageUp), and every later answer marks its pipe before a child can be
// started.

// sealedWriter marks the pipe of an answer close-on-exec as soon as it is
// there.
type sealedWriter struct {
	http.ResponseWriter
	begun bool
}

// WriteHeader begins the answer, which is when the pipe is made.
func (s *sealedWriter) WriteHeader(code int) {
	if s.begun {
		return
	}
	s.begun = true
	withoutForks(func() { s.ResponseWriter.WriteHeader(code) })
}

func (s *sealedWriter) Write(b []byte) (int, error) {
	if !s.begun {
		if s.Header().Get("Content-Type") == "" {
			s.Header().Set("Content-Type", http.DetectContentType(b))
		}
		s.WriteHeader(http.StatusOK)
	}
	return s.ResponseWriter.Write(b)
}

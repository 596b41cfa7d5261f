package app

import (
	"net/http"
	"net/http/httptest"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// careless opens its pipe as the frame does: for every child to inherit.
type careless struct {
	*httptest.ResponseRecorder
	pipe [2]int
}

func (c *careless) WriteHeader(code int) {
	if err := syscall.Pipe2(c.pipe[:], 0); err != nil {
		panic(err)
	}
	c.ResponseRecorder.WriteHeader(code)
}

// TestAnswersAreSealed: a child that is started while the page is served must
// not get the pipe through which the page is served. It would keep the page
// waiting for its end (seen: one blank window in fifteen starts), and could
// write into it.
func TestAnswersAreSealed(t *testing.T) {
	for name, answer := range map[string]func(w http.ResponseWriter){
		"with a header": func(w http.ResponseWriter) { w.WriteHeader(http.StatusNotFound) },
		"with the body": func(w http.ResponseWriter) { _, _ = w.Write([]byte("x")) },
		"by http.Error": func(w http.ResponseWriter) { http.Error(w, "x", http.StatusForbidden) },
		"written several": func(w http.ResponseWriter) {
			_, _ = w.Write([]byte("x"))
			w.WriteHeader(500)
			_, _ = w.Write([]byte("y"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := &careless{ResponseRecorder: httptest.NewRecorder()}
			answer(&sealedWriter{ResponseWriter: c})
			for _, fd := range c.pipe {
				flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
				if err != nil || flags&unix.FD_CLOEXEC == 0 {
					t.Errorf("descriptor %d is inherited: flags %x, %v", fd, flags, err)
				}
				_ = syscall.Close(fd)
			}
		})
	}
}

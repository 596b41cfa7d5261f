package jsonrpc

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"
)

// TestMain fails when goroutines are left over.
func TestMain(m *testing.M) {
	flag.Parse()
	fuzzing := flag.Lookup("test.fuzz").Value.String() != "" // which has goroutines of its own
	before := runtime.NumGoroutine()
	code := m.Run()
	for end := time.Now().Add(5 * time.Second); !fuzzing && runtime.NumGoroutine() > before; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			fmt.Fprintf(os.Stderr, "goroutines left over: %d before, %d after\n", before, runtime.NumGoroutine())
			code = 1
			break
		}
	}
	os.Exit(code)
}

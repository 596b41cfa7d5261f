package store_test

import (
	"fmt"
	"os"
	"testing"
)

// child is the environment variable by which a test starts its own binary as
// another process; its value names what that does.
const child = "STORE_TEST_CHILD"

func TestMain(m *testing.M) {
	switch os.Getenv(child) {
	case "":
		code := m.Run()
		if benchDir != "" {
			fail(os.RemoveAll(benchDir))
		}
		os.Exit(code)
	case "append":
		fail(childAppends(os.Args[1], os.Args[2]))
	case "fill":
		fail(childFills(os.Args[1]))
	case "open":
		fail(childOpens(os.Args[1]))
	default:
		fail(fmt.Errorf("no such child: %s", os.Getenv(child)))
	}
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

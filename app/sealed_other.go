//go:build !linux

package app

// withoutForks runs fn; elsewhere the frame serves without pipes.
func withoutForks(fn func()) { fn() }

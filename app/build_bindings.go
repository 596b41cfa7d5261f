//go:build bindings

package app

// Generating is set while the bindings are generated, which runs the program:
// then nothing may be opened, started or written.
const Generating = true

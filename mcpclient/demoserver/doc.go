// Package demoserver is a small, complete and deterministic MCP server: what
// the first run, the tests and the pictures of Countersign use. It runs as
// `countersign demo-server` over standard input and output, or with --http
// over Streamable HTTP on loopback, in both eras of the protocol. It reads and
// writes nothing but its connection.
package demoserver

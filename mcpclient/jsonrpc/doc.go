// Package jsonrpc reads and writes JSON-RPC 2.0 messages without ever decoding
// what they carry, and matches requests to answers on a byte stream.
//
// Messages are found by a scanner that checks the syntax once and hands out
// sub-slices of the received bytes: params, results and errors are evidence and
// stay as they crossed the wire (64-bit integers, key order, unknown fields).
// Frames are built by splicing bytes, so an argument object that was hashed and
// shown is the one that is written.
//
// Conn is the two-way connection over a pair of pipes. It has one reader at a
// time; the reader may be the one caller that waits (see Conn). The package
// knows nothing of MCP and uses the standard library only.
package jsonrpc

// Package store keeps everything in one SQLite file: the ledger of events and
// payloads, the calls as a projection of it, and the servers, lists,
// definitions, consents, settings and icons.
//
// # The file
//
// One writer handle with one connection and immediate transactions, and a pool
// of read-only connections; WAL, synchronous FULL. All pragmas stand in the
// connection string or in the hook of the connector, so that every connection
// has them. A file is made aside, with its page size and auto_vacuum, and then
// takes its name: a file that is empty was damaged, and is not new. Before
// anything is written, a connection that cannot write looks at a file that was
// there already: a newer schema is refused, a damaged file is renamed, and
// neither is changed by a byte.
//
// The quick check runs inside Open for files of up to 32 MiB, and for any file
// whose last check failed. For a larger one the caller runs Check in the
// background; Large tells whether it is one.
//
// Before its schema changes, a file is copied to a name that ends in
// ".before-schema-N-DATE". A damaged one is renamed, with its -wal and -shm, to
// one that ends in ".damaged-DATE".
//
// # The record
//
// The ledger is append-only: number, stored bytes and Merkle leaf of an event
// are written once, in the transaction of what the event tells, and triggers
// refuse every change. Payloads are named in events by salted hash, the salt
// lying beside the payload, so that a payload can go without the events
// becoming unprovable. Verify checks all of it.
//
// What is cleared (the request state of a call that has ended) is overwritten
// in the file at once, and in the WAL by its next round.
//
// # Rules
//
// An exported method that writes opens the transaction and commits; the
// unexported ones that it calls take the transaction. A transaction has one
// time stamp. Times are UTC, in microseconds; a zero time is NULL. A method
// returns an error that wraps ErrNotFound where a row is missing.
//
// The package knows nothing of the program or the protocol: kinds, states and
// JSON bodies are the caller's. The caller masks secrets before it writes.
//
// A *Store is safe to use together. It starts no goroutine. It must be built
// with the tag sqlite_fts5, without which Open fails.
package store

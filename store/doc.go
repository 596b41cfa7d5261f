// Package store keeps everything in one SQLite file: the ledger of events and
// payloads, the calls as a projection of it, and the servers, lists,
// definitions, settings and icons.
//
// One writer handle with one connection and immediate transactions, and a
// pool of read-only connections; WAL, synchronous FULL. All pragmas stand in
// the connection string, so that every connection has them. An exported
// method that writes opens the transaction and commits; the unexported ones
// that it calls take the transaction. Times are UTC, in microseconds.
//
// The ledger is append-only: number, stored bytes and Merkle leaf of an event
// are written once, in the transaction of what the event tells, and triggers
// refuse every change. Payloads are named in events by salted hash, the salt
// lying beside the payload, so that a payload can go without the events
// becoming unprovable.
//
// The package knows nothing of the program or the protocol: kinds, states and
// JSON bodies are the caller's. The caller masks secrets before it writes.
//
// A *Store is safe to use together. It must be built with the tag
// sqlite_fts5.
package store

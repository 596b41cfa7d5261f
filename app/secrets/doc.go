// Package secrets keeps the named secrets of servers and keeps them out of
// everything that is written down.
//
// A [Store] holds the values: in the system keyring, or in memory for this run
// where no keyring answers, which the person is told. Settings refer to a secret
// by name with ${secret:NAME}; [Expand] puts the value in at the last moment,
// and [Display] a mark for the screen. A [Masker] replaces every occurrence of
// known values, in the encodings in which they travel, before bytes are stored,
// logged or exported.
//
// The package knows no server, no database and no page. It is the only one that
// imports go-keyring.
package secrets

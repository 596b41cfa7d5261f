// Package launch knows what starts or reaches a server: its settings, what is
// wrong or risky about them, and how they become a program to start or an address
// to contact.
//
// [Validate] and [Warnings] judge settings as they are written, with references to
// secrets in place. [Resolve] puts the values in, finds the executable in the
// child's own PATH and makes the fingerprint by which a consent is remembered. A
// [BaseEnv] is the short list of variables that every child gets.
//
// The package starts no server and stores nothing; the one program it runs is the
// person's login shell, once, to learn PATH.
package launch

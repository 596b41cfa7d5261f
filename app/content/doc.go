// Package content takes a CallToolResult apart for looking at it. The bytes
// are a server's and come in every shape: one odd member costs itself, one bad
// block degrades itself, with a word, and nothing else; what is unknown is
// handed on as it is. Nothing is ever fetched.
//
// Member names are exact: "Text" is not text. Of members that are there twice
// the last one counts, and the result says so.
//
// View is pure, never fails and is safe to call together.
package content

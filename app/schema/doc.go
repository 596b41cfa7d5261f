// Package schema checks JSON values against JSON Schemas that servers send.
//
// The default dialect is 2020-12 (SCHEMA-01); a declared one is honoured
// (draft-04, -06, -07, 2019-09, 2020-12), any other is a clear error
// (SCHEMA-03). Nothing is ever fetched: a reference out of the schema makes it
// unusable (SCHEMA-05, SCHEMA-08). Formats are checked, numbers are exact.
//
// A schema is hostile input. It is bounded in size, depth and number of
// subschemas when it is compiled; checking is bounded in work and time
// (SCHEMA-09), and patterns run on a linear engine. A fault in one place, such
// as a reference to a definition that is not there, costs the rules of that
// place only: Warnings names it, and the rest is checked.
package schema

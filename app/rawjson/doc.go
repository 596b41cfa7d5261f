// Package rawjson reads JSON without decoding it: payloads are evidence, so
// their bytes are compacted, cut into members and fingerprinted, but numbers,
// key order and unknown parts never pass through Go values.
//
// All functions are pure and safe to call together. Depth is bounded by
// MaxDepth; size is the caller's to bound.
package rawjson

// MaxDepth is the deepest nesting of arrays and objects that is read.
const MaxDepth = 1000

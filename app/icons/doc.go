// Package icons turns the icons that a server names into small PNG images
// that are safe to show.
//
// The road of an icon is: Pick reads the "icons" array of a server or a tool
// and vets each entry (a pure decision, ICON-03, ICON-06), best first; a
// Fetcher gets the bytes of one vetted Source and re-draws them. What comes
// out is never what the server sent: the bytes are recognised by their first
// bytes (ICON-08), their dimensions are read before anything is decoded
// (ICON-02), one frame is decoded, drawn no larger than MaxDrawn pixels, and
// encoded anew as PNG. So nothing that hides in an image file reaches the page.
//
// Accepted are PNG and JPEG (ICON-01) from "data:" URIs and from https
// addresses of the server's own origin. SVG is refused because it is a program
// (ICON-07); GIF and WebP are refused because nothing here decodes them. A
// server without an origin (stdio) can only give "data:" icons (ICON-06).
//
// The package keeps nothing: the caller stores images under their hash, and
// fetches only for servers whose launch a person has consented to.
package icons

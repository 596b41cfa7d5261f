// Package mcpserver is the server half of MCP as far as the demo server needs
// it: tools, resources and change notices, in the modern era (2026-07-28) and
// the legacy one (2025-11-25), over stdio and Streamable HTTP. Which era is
// spoken is decided by how the client opens: with initialize, or with a
// request that carries its own _meta.
//
// It is strict about what it receives, so that it serves as a check on
// clients: a modern request without its _meta (BASE-12), an HTTP request whose
// headers do not mirror its body (HDR-01 to HDR-24), a legacy request before
// notifications/initialized (LEG-03) and the like are refused as the
// specification says. What cannot be refused, such as a response to a server
// that asked nothing (BASE-05), is told to Server.Log.
package mcpserver

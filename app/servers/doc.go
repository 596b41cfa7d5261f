// Package servers keeps the connections to MCP servers.
//
// Each server has one supervisor: a goroutine that prepares the launch,
// connects, watches the connection, lists the tools, and tries again after
// waits that grow. Its state (State) is changed by one function through one
// table of allowed moves. Start, Stop, Restart and Remove only say what is
// wanted; they may be called from anywhere, in any state, together.
//
// What is tried again by itself: a process that ended (STDIO-09), until it did
// so five times within two minutes; an HTTP server that can't be reached, for
// as long as it is wanted; a session that a server forgot
// and that could not be begun anew over its connection, at once (LEG-08).
// What is not: a launch that needs a person (AttentionError from Prepare), a
// program that is not there, a server that refuses us. A call is never sent
// again from here.
//
// The package records nothing itself and knows neither store nor window: Deps
// are the functions through which app does that. It owns the goroutines of the
// supervisors and of their lists, and Close waits for them; the processes
// belong to mcpclient.
package servers

// Package mcpclient is the client half of the Model Context Protocol: one Client
// for one server, over a child's standard input and output or over Streamable
// HTTP, in revision 2026-07-28 ("modern") or in a handshake revision up to
// 2025-11-25 ("legacy").
//
// It sends nothing of consequence by itself. tools/call and the answers to a
// legacy server's questions go out once each, after the Gate said yes to that
// very send, and never again: there are no retries, bodies cannot be replayed,
// and rounds of an input_required call are made by the caller. A redirect, and
// a session that the server forgot, end the call with an error of which
// Unexecuted says that another attempt may be made; what goes out next goes to
// the new address, if that is on the same origin, or in a new session. The
// package knows nothing of approvals, of storage or of a window, and it logs
// nothing but through Events.Log.
//
// # Bytes
//
// Results, errors, definitions and questions are handed out as the bytes that
// came; looking at them is done by package jsonrpc's scanner, which decodes no
// values. Argument objects, input responses and answers are spliced into the
// frame as given. A frame is built before the gate is asked and is what is
// written.
//
// The params._meta of a gated send has keys from this list and no others:
//
//	io.modelcontextprotocol/protocolVersion    modern (BASE-09)
//	io.modelcontextprotocol/clientInfo         modern (BASE-11)
//	io.modelcontextprotocol/clientCapabilities modern (BASE-10)
//	progressToken                              both; equal to the request id
//
// # Parts
//
//	Client       era detection, requests, rounds, questions, subscription
//	exchange     one message of ours on its way: frame, gate, clock, progress
//	transport    carries exchanges: stdioTransport or httpTransport, which also
//	             speaks HTTP+SSE of 2024-11-05
//	clock        the idle and the whole time limit of a request
//	dispatcher   runs the caller's event functions
//
// Who reads: over stdio a jsonrpc.Conn, whose reader at any time is one waiting
// caller or the idle reader (see there). Over HTTP each request has a goroutine
// that reads its own answer, and a legacy session one more for the stream of
// server messages; an answer finds its request by id whichever stream it came
// on. Whoever reads calls Client.incoming, which never blocks: events go to the
// dispatcher, answers to server requests to an outbox.
//
// Goroutines of a Client, all of which Close waits for: the dispatcher, a watch
// on the end of the connection and, on a modern one, the holder of the
// subscription; over stdio the idle reader, the outbox writer, the stderr drain
// and the waiter for the process; over HTTP the outbox, one for each request in
// flight, the legacy stream and the renewal of a lost session.
//
// # Eras
//
// Connect asks server/discover first, with a limit of its own. A DiscoverResult
// or one of the errors -32020, -32021 and -32022 makes the server a modern one;
// any other answer, silence, and over HTTP a 4xx without such a body (but those
// about signing in) lead to initialize. Where that POST is refused too, a GET
// finds out whether the server speaks HTTP+SSE. What was tried and given up stands
// in Info.Fallbacks.
//
// Request ids are numbers that are never used twice, so a late answer to the probe
// is nobody else's; neither is an error without id, which it may be. A modern server
// that was too slow for the probe gives itself away by that late answer: it is asked
// again where initialize fails, else with more patience next time (Info.Remember).
//
// # After the end of a call
//
// A call that is given up is cancelled: by a notification, or over modern HTTP by
// closing its stream. Then it is listened for a while longer, and what became of it
// is told by Events.Aftermath.
package mcpclient

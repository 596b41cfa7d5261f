// Package calls is the one road of a tool call:
//
//	propose -> record -> decide -> (ask a person) -> record -> gate -> send ->
//	[input asked -> answered -> gate -> send]* -> record -> show
//
// There is no other way to a server. Road.Propose starts it, a person answers
// with Road.Decide, and Road.Admit is the gate that mcpclient asks right
// before a message is written. Every move of a call's state goes through the
// table in state.go and is durable in the store, together with its event,
// before the action that it permits.
//
// A call goes out a second time only where its answer proves that the server did
// not run it, once, and as an attempt of its own that Admit is asked about: see
// again.go.
//
// A Road owns one goroutine per call that is being sent, and one timer per
// card with a deadline; Close ends and awaits them. All methods are safe to
// call together. Argument bytes are made once, by Propose or Edit, and live
// in memory as they will go on the wire; what the store keeps of them has
// known secrets masked.
package calls

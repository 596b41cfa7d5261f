package mcpclient

import (
	"encoding/json"
	"strings"

	"countersign/mcpclient/jsonrpc"
)

// The keys that params._meta of ours may have, and no others (BASE-09..11,
// PROG-01).
const (
	metaVersion       = "io.modelcontextprotocol/protocolVersion"
	metaClientInfo    = "io.modelcontextprotocol/clientInfo"
	metaCapabilities  = "io.modelcontextprotocol/clientCapabilities"
	metaProgressToken = "progressToken"
	// What servers put there.
	metaSubscription = "io.modelcontextprotocol/subscriptionId"
	metaServerInfo   = "io.modelcontextprotocol/serverInfo"
)

// clientInfoJSON encodes who we are; our own text, so the usual encoder serves.
func clientInfoJSON(info Implementation) []byte {
	b, err := json.Marshal(info)
	if err != nil { // three strings
		panic(err)
	}
	return b
}

// capabilitiesJSON are the client capabilities in a revision's own form
// (ELIC-01, ELIC-29, ROOTS-01, LEG-19).
func capabilitiesJSON(cfg *Config, version string) string {
	var parts []string
	switch {
	case !cfg.Elicitation || version < "2025-06-18":
	case version < LegacyVersion:
		parts = append(parts, `"elicitation":{}`)
	default:
		parts = append(parts, `"elicitation":{"form":{},"url":{}}`)
	}
	switch {
	case cfg.Roots == nil:
	case version == ModernVersion:
		parts = append(parts, `"roots":{}`)
	default:
		parts = append(parts, `"roots":{"listChanged":true}`)
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// metaPrefix is a modern _meta without its closing bracket.
func metaPrefix(cfg *Config, version string) []byte {
	b := append([]byte{'{'}, `"`+metaVersion+`":`...)
	b = jsonrpc.AppendString(b, version)
	b = append(b, `,"`+metaClientInfo+`":`...)
	b = append(b, clientInfoJSON(cfg.ClientInfo)...)
	b = append(b, `,"`+metaCapabilities+`":`...)
	return append(b, capabilitiesJSON(cfg, version)...)
}

// appendMeta appends _meta; token 0 leaves the progress token out. prefix is nil
// for legacy servers, and then without a token nothing is appended.
func appendMeta(dst, prefix []byte, token int64) []byte {
	switch {
	case prefix == nil && token == 0:
		return dst
	case prefix == nil:
		dst = append(dst, '{')
	default:
		dst = append(dst, prefix...)
		if token != 0 {
			dst = append(dst, ',')
		}
	}
	if token != 0 {
		dst = append(dst, `"`+metaProgressToken+`":`...)
		dst = appendInt(dst, token)
	}
	return append(dst, '}')
}

// span is a part of a frame.
type span struct{ from, to int }

func (s span) of(frame []byte) []byte {
	if s.to == s.from {
		return nil
	}
	return frame[s.from:s.to:s.to]
}

// callFrame is a gated request with the places of its parts.
type callFrame struct {
	bytes                 []byte
	meta, args, responses span
}

// buildCall splices the frame of a gated request: arguments and input responses
// go in as they are, to the byte. For SendRead, Tool is the URI. One byte of room
// is left for the line feed.
func buildCall(metaPrefix []byte, id int64, kind SendKind, call *Call) callFrame {
	n := 192 + len(metaPrefix) + 2*len(call.Tool) + len(call.Arguments) + len(call.InputResponses)
	if call.RequestState != nil {
		n += len(*call.RequestState) * 5 / 4
	}
	f := callFrame{}
	b := make([]byte, 0, n)
	b = append(b, `{"jsonrpc":"2.0","id":`...)
	b = appendInt(b, id)
	b = append(b, `,"method":"`+kind+`","params":{"_meta":`...)
	f.meta.from = len(b)
	b = appendMeta(b, metaPrefix, id)
	f.meta.to = len(b)
	if kind == SendRead {
		b = append(b, `,"uri":`...)
		b = jsonrpc.AppendString(b, call.Tool)
	} else {
		b = append(b, `,"name":`...)
		b = jsonrpc.AppendString(b, call.Tool)
		b = append(b, `,"arguments":`...)
		f.args.from = len(b)
		b = append(b, call.Arguments...)
		f.args.to = len(b)
	}
	if call.InputResponses != nil {
		b = append(b, `,"inputResponses":`...)
		f.responses.from = len(b)
		b = append(b, call.InputResponses...)
		f.responses.to = len(b)
	}
	if call.RequestState != nil {
		b = append(b, `,"requestState":`...)
		b = jsonrpc.AppendString(b, *call.RequestState)
	}
	f.bytes = append(b, '}', '}')
	return f
}

// requestFrame builds any other request. members are the params besides _meta,
// each with a leading comma.
func requestFrame(metaPrefix []byte, id int64, method, members string) []byte {
	params := []byte{'{'}
	if metaPrefix != nil {
		params = append(params, `"_meta":`...)
		params = appendMeta(params, metaPrefix, 0)
	} else if members != "" {
		members = members[1:]
	}
	params = append(params, members...)
	params = append(params, '}')
	return withRoom(jsonrpc.AppendRequest(make([]byte, 0, 96+len(params)+len(method)), id, method, params))
}

// withRoom leaves room for a line feed after a frame.
func withRoom(frame []byte) []byte {
	if cap(frame) > len(frame) {
		return frame
	}
	return append(make([]byte, 0, len(frame)+1), frame...)
}

func cancelledFrame(id int64, reason string) []byte {
	params := append([]byte(`{"requestId":`), appendInt(nil, id)...)
	if reason != "" {
		params = append(params, `,"reason":`...)
		params = jsonrpc.AppendString(params, reason)
	}
	return jsonrpc.AppendNotification(nil, "notifications/cancelled", append(params, '}'))
}

package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
)

// Keys of _meta.
const (
	metaPrefix       = "io.modelcontextprotocol/"
	metaVersion      = metaPrefix + "protocolVersion"
	metaCapabilities = metaPrefix + "clientCapabilities"
	metaClientInfo   = metaPrefix + "clientInfo"
	metaServerInfo   = metaPrefix + "serverInfo"
	metaSubscription = metaPrefix + "subscriptionId"
	metaLogLevel     = metaPrefix + "logLevel"
)

// ttl is how long, in milliseconds, what is cacheable stays fresh.
const ttl = 60_000

// checkMeta holds a request's _meta against BASE-09 to BASE-12.
func checkMeta(meta object) *Error {
	missing := func(what string) *Error {
		return &Error{Code: codeInvalidParams, Message: "_meta lacks a sound " + what, status: http.StatusBadRequest}
	}
	version, ok := str(meta[metaVersion])
	if !ok || version == "" {
		return missing(metaVersion)
	}
	if caps := meta[metaCapabilities]; len(caps) == 0 || caps[0] != '{' {
		return missing(metaCapabilities)
	}
	if info, given := meta[metaClientInfo]; given && !isImplementation(info) {
		return missing(metaClientInfo)
	}
	if level, given := meta[metaLogLevel]; given && !isLogLevel(level) {
		return missing(metaLogLevel)
	}
	if version != Modern { // VER-01
		return &Error{Code: codeWrongVersion, Message: "Unsupported protocol version", Data: map[string]any{"supported": []string{Modern}, "requested": version}}
	}
	return nil
}

func isImplementation(raw json.RawMessage) bool {
	o, ok := members(raw)
	_, hasName := str(o["name"])
	_, hasVersion := str(o["version"])
	return ok && hasName && hasVersion
}

func isLogLevel(raw json.RawMessage) bool {
	level, _ := str(raw)
	switch level {
	case "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency":
		return true
	}
	return false
}

func (s *session) discover() json.RawMessage {
	return join(encode(map[string]any{"supportedVersions": []string{Modern}}), s.abilities())
}

// asksPrefix begins the result of a call that asks. A large result is told
// apart by it without being decoded.
const asksPrefix = `{"resultType":"input_required"`

// inputRequired is such a result (MRTR-02, MRTR-03).
func inputRequired(state, key string, params json.RawMessage) json.RawMessage {
	return join(json.RawMessage(asksPrefix+"}"), encode(map[string]any{"requestState": state,
		"inputRequests": map[string]any{key: map[string]any{"method": "elicitation/create", "params": params}}}))
}

// modernResult adds what modern results have (BASE-15, CACHE-01).
func (s *session) modernResult(method string, result json.RawMessage) json.RawMessage {
	more := map[string]any{"_meta": map[string]any{metaServerInfo: s.srv.Info}}
	if !bytes.HasPrefix(result, []byte(asksPrefix)) {
		more["resultType"] = "complete"
	}
	switch method {
	case "server/discover", "tools/list", "resources/list", "resources/read":
		more["ttlMs"], more["cacheScope"] = ttl, "public"
	}
	return join(encode(more), result)
}

// listen keeps a stream of change notices open until the client cancels it or
// the server ends (SUB-01 to SUB-10).
func (s *session) listen(ctx context.Context, m message, out sender) (json.RawMessage, error) {
	raw, given := m.params["notifications"]
	filter, ok := members(raw)
	if !given || !ok {
		return nil, &Error{Code: codeInvalidParams, Message: "notifications is an object"}
	}
	for key, v := range filter {
		switch key {
		case "toolsListChanged", "promptsListChanged", "resourcesListChanged":
			ok = string(v) == "true" || string(v) == "false"
		case "resourceSubscriptions":
			var uris []string
			ok = json.Unmarshal(v, &uris) == nil && v[0] == '['
		}
		if !ok {
			return nil, &Error{Code: codeInvalidParams, Message: "notifications has an odd " + key}
		}
	}
	meta := map[string]any{metaSubscription: m.id} // of the same JSON type (SUB-05)
	granted := map[string]any{}
	var changed <-chan struct{}
	if string(filter["toolsListChanged"]) == "true" {
		granted["toolsListChanged"] = true
		list, stop := s.srv.watch()
		defer stop()
		changed = list
	}
	out.send(notification("notifications/subscriptions/acknowledged", map[string]any{"_meta": meta, "notifications": granted}))
	for {
		select {
		case <-changed:
			out.send(notification("notifications/tools/list_changed", map[string]any{"_meta": meta}))
		case <-ctx.Done():
			if errors.Is(context.Cause(ctx), errCancelled) {
				return nil, errCancelled
			}
			return encode(map[string]any{"resultType": "complete", "_meta": meta}), nil // SUB-09
		}
	}
}

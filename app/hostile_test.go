package app_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"countersign/app"
	"countersign/app/apptest"
)

func say(text string) apptest.Act { return apptest.Act{Say: text} }

// TestHostileAnswers has a server answer in ways that no server should. Each
// call ends, the connection and the program go on.
func TestHostileAnswers(t *testing.T) {
	r := apptest.Start(t)
	for _, era := range []string{"modern", "legacy"} {
		files := map[string]string{}
		if era == "legacy" {
			files["legacy"] = ""
		}
		p := newPuppet(t, r, files)
		progress := `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":$TOKEN,"progress":%s,"total":%s,"message":"m$N"}}`
		for _, c := range []struct {
			name, era string
			want      string
			acts      []apptest.Act
		}{
			{"24 MB", "", "succeeded", []apptest.Act{{Say: `{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":"$BULK"}]}}`, Bulk: 24 << 20}}},
			{"invalid UTF-8", "", "", []apptest.Act{say(`{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":"a $BYTE b"}]}}`)}},
			{"duplicate members", "", "", []apptest.Act{say(`{"jsonrpc":"2.0","id":$ID,"result":{"content":[],"content":[{"type":"text","text":"x"}],"isError":false,"isError":true}}`)}},
			{"numbers beyond all", "", "succeeded", []apptest.Act{say(`{"jsonrpc":"2.0","id":$ID,"result":{"content":[],"structuredContent":{"n":1e999999,"m":-0.0,"k":9007199254740993}}}`)}},
			{"progress that is no number", "", "succeeded", []apptest.Act{
				say(fmt.Sprintf(progress, "1e999", "-1e999")), say(fmt.Sprintf(progress, `"NaN"`, `"Infinity"`)), say(fmt.Sprintf(progress, "NaN", "1")),
				say(fmt.Sprintf(progress, "{}", "[]")), say(fmt.Sprintf(progress, "-5", "0")), say(done)}},
			{"a flood of progress", "", "succeeded", []apptest.Act{{Say: fmt.Sprintf(progress, "$N", "20000"), Times: 20000}, say(done)}},
			{"a flood of notices", "", "succeeded", []apptest.Act{{Say: `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`, Times: 5000}, say(done)}},
			{"an error of a megabyte", "", "protocol_failed", []apptest.Act{{Say: `{"jsonrpc":"2.0","id":$ID,"error":{"code":-32603,"message":"$BULK","data":{"x":"$BULK"}}}`, Bulk: 1 << 20}}},
			{"an error that is none", "", "", []apptest.Act{say(`{"jsonrpc":"2.0","id":$ID,"error":"no"}`)}},
			{"an error code beyond all", "", "", []apptest.Act{say(`{"jsonrpc":"2.0","id":$ID,"error":{"code":1e400,"message":null}}`)}},
			{"a result that is a list", "", "", []apptest.Act{say(`{"jsonrpc":"2.0","id":$ID,"result":[]}`)}},
			{"input for ever without a question", "modern", "protocol_failed", nil},
			{"MRTR-15 sampling", "modern", "protocol_failed", []apptest.Act{say(`{"jsonrpc":"2.0","id":$ID,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"sampling/createMessage","params":{}}}}}`)}},
			{"MRTR-15 roots", "modern", "protocol_failed", []apptest.Act{say(`{"jsonrpc":"2.0","id":$ID,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"roots/list"}}}}`)}},
			{"MRTR-15 a mode that was not declared", "modern", "protocol_failed", []apptest.Act{say(`{"jsonrpc":"2.0","id":$ID,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"mode":"voice","message":"?"}}}}}`)}},
			{"two questions of one key", "modern", "protocol_failed", []apptest.Act{say(`{"jsonrpc":"2.0","id":$ID,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{}},"a":{"method":"elicitation/create","params":{}}}}}`)}},
			{"a hundred and one questions", "modern", "protocol_failed", []apptest.Act{say(`{"jsonrpc":"2.0","id":$ID,"result":{"resultType":"input_required","inputRequests":{` + manyInputs(101) + `}}}`)}},
			{"requests that were not offered", "legacy", "succeeded", []apptest.Act{
				say(`{"jsonrpc":"2.0","id":"s","method":"sampling/createMessage","params":{}}`), {Await: `"id":"s"`},
				say(`{"jsonrpc":"2.0","id":"r","method":"roots/list"}`), {Await: `"id":"r"`},
				say(`{"jsonrpc":"2.0","id":"m","method":"elicitation/create","params":{"mode":"voice"}}`), {Await: `"id":"m"`}, say(done)}},
		} {
			if c.era != "" && c.era != era || c.acts == nil {
				continue
			}
			t.Run(c.name+", "+era, func(t *testing.T) {
				r := r.For(t)
				id := p.begin(r, c.acts...)
				d := r.State(id, finals...)
				if c.want != "" && d.Call.State != c.want {
					t.Errorf("the call is %s (%.200s), want %s", d.Call.State, d.Call.Summary, c.want)
				}
				sound(t, r, id)
				crosses(t, r)
				if d := r.State(p.begin(r, say(done)), finals...); d.Call.State != "succeeded" {
					t.Errorf("the next call is %s: %s", d.Call.State, d.Call.Summary)
				}
			})
		}
	}
}

func manyInputs(n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf(`"k%d":{"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object"}}}`, i))
	}
	return strings.Join(list, ",")
}

// maxCrossing bounds what one list may carry over the bridge.
const maxCrossing = 4 << 20

// crosses calls what the page calls all the time, and holds the answers to the
// bridge: JSON, and of a size that does not stop the window.
func crosses(t *testing.T, r *apptest.Rig) {
	t.Helper()
	for name, fetch := range map[string]func() (any, error){
		"Servers.List":   func() (any, error) { return r.Servers.List(r.Token) },
		"Tools.List":     func() (any, error) { return r.Tools.List(r.Token) },
		"Calls.Running":  func() (any, error) { return r.Calls.Running(r.Token) },
		"Calls.History":  func() (any, error) { return r.Calls.History(r.Token, app.HistoryFilter{Limit: 500}) },
		"Approvals.List": func() (any, error) { return r.Approvals.List(r.Token) },
		"Questions.List": func() (any, error) { return r.Questions.List(r.Token) },
		"Settings.Hello": func() (any, error) { return r.Settings.Hello(r.Token) },
	} {
		v, err := fetch()
		if err != nil {
			t.Errorf("%s: %v", name, app.FormatError(err))
			continue
		}
		b, err := json.Marshal(v)
		if err != nil {
			t.Errorf("%s does not cross: %v", name, err)
		}
		if len(b) > maxCrossing {
			t.Errorf("%s carries %d bytes", name, len(b))
		}
	}
}

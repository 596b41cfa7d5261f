package servers_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"countersign/app/servers"
	"countersign/mcpclient"
)

// sessions is a legacy server over HTTP that can forget its session.
type sessions struct {
	current atomic.Int64
	status  atomic.Int64 // other than 0: what every request gets
}

func (s *sessions) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if status := s.status.Load(); status != 0 {
		w.WriteHeader(int(status))
		return
	}
	if r.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	body, _ := io.ReadAll(r.Body)
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	if err := json.Unmarshal(body, &m); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	id := r.Header.Get("Mcp-Session-Id")
	switch {
	case m.Method == "initialize":
		w.Header().Set("Mcp-Session-Id", fmt.Sprint("s", s.current.Load()))
	case m.Method == "server/discover":
		w.WriteHeader(http.StatusBadRequest)
	case id != fmt.Sprint("s", s.current.Load()):
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"jsonrpc":"2.0","error":{"code":-32001,"message":"gone"},"id":null}`)
		return
	case m.ID == nil:
		w.WriteHeader(http.StatusAccepted)
		return
	}
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, m.ID, answer(m.Method))
}

func (b *bench) web(url string) servers.Prepared {
	return servers.Prepared{Name: "Weather", Fingerprint: url, Config: mcpclient.Config{
		HTTP:         &mcpclient.HTTPConfig{URL: url},
		ClientInfo:   mcpclient.Implementation{Name: "countersign", Version: "0"},
		ProbeTimeout: patience, RequestTimeout: patience,
	}}
}

func TestServerThatForgetsTheSession(t *testing.T) {
	b := newBench(t)
	var s sessions
	server := httptest.NewServer(&s)
	defer server.Close()
	b.start("a", b.web(server.URL+"/mcp"))
	s.current.Add(1)
	if err := b.Refresh(t.Context(), "a"); err != nil {
		t.Errorf("LEG-08 the list is asked again in a new session: %v", err)
	}
	b.until("LEG-08 field-88 it is listed anew, with one short notice", func() bool {
		list, _, live, warning := b.Listing("a")
		lines, _ := b.Log("a", 0)
		return b.Status("a").State == servers.Running && list != nil && live && warning == "" &&
			strings.Contains(fmt.Sprint(lines), "begun anew")
	})
}

func TestServerThatIsNotThereYet(t *testing.T) {
	b := newBench(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	b.setLaunch("a", b.web("http://"+address+"/mcp"))
	b.Start("a")
	b.until("the next try is planned", func() bool { return !b.Status("a").NextTry.IsZero() })
	st := b.Status("a")
	want := "Weather could not be reached: nothing answers at " + address + " (connection refused)."
	if st.State != servers.Starting || st.Reason != want || st.Code != servers.CodeFailed {
		t.Fatalf("status %+v", st)
	}
	if listener, err = net.Listen("tcp", address); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(&sessions{})
	server.Listener.Close()
	server.Listener = listener
	server.Start()
	defer server.Close()
	st = b.untilState("a", servers.Running) // by itself, at the next try
	if st.Reason != "" || !st.NextTry.IsZero() || st.PID != 0 || st.Version != "2025-11-25" {
		t.Fatalf("status %+v", st)
	}
}

func TestServerThatRefusesUs(t *testing.T) {
	b := newBench(t)
	var s sessions
	server := httptest.NewServer(&s)
	defer server.Close()
	for _, tt := range []struct {
		status int
		state  servers.State
		code   string
	}{
		{http.StatusUnauthorized, servers.Attention, servers.CodeConfig},
		{http.StatusForbidden, servers.Attention, servers.CodeConfig},
		{http.StatusNotFound, servers.Attention, servers.CodeConfig},
		{http.StatusServiceUnavailable, servers.Starting, servers.CodeFailed},
	} {
		t.Run(fmt.Sprint(tt.status), func(t *testing.T) {
			s.status.Store(int64(tt.status))
			id := fmt.Sprint("server", tt.status)
			b.setLaunch(id, b.web(server.URL+"/mcp"))
			b.Start(id)
			b.until("it is given up or put off", func() bool { return b.Status(id).Code != "" })
			if st := b.Status(id); st.State != tt.state || st.Code != tt.code || st.NextTry.IsZero() != (tt.state == servers.Attention) {
				t.Fatalf("status %+v", st)
			}
			if err := b.Refresh(t.Context(), id); !errors.Is(err, servers.ErrNotRunning) {
				t.Errorf("refreshing gives %v", err)
			}
		})
	}
}

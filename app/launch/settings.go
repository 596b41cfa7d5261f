package launch

import (
	"time"

	"countersign/app/secrets"
)

// Kinds of servers.
const (
	KindStdio   = "stdio"   // a program that is started and spoken to over its pipes
	KindHTTP    = "http"    // an address
	KindBuiltin = "builtin" // the demo server in this program's own executable
)

// Var is a name with a value: an environment variable or an HTTP header.
type Var struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Settings tell how a server is started or reached. The JSON form is what the
// store keeps. Command, Args, values of Env, Dir, URL, values of Headers and Proxy
// are templates that may hold ${secret:NAME}.
type Settings struct {
	Kind    string   `json:"kind"`
	Command string   `json:"command,omitempty"`
	Args    []string `json:"args,omitempty"`
	Env     []Var    `json:"env,omitempty"`
	Dir     string   `json:"dir,omitempty"` // "" is the home folder
	URL     string   `json:"url,omitempty"`
	Headers []Var    `json:"headers,omitempty"`
	// CAFile is a PEM file of authorities that are trusted for this server besides
	// the system's. It is the person's choice in a dialog, never typed.
	CAFile string `json:"caFile,omitempty"`
	// Proxy is "" for what the system says, ProxyNone, or the URL of a proxy.
	Proxy string `json:"proxy,omitempty"`
	// PlainHTTP permits an http address that is not this computer.
	PlainHTTP      bool `json:"plainHttp,omitempty"`
	TimeoutSeconds int  `json:"timeoutSeconds,omitempty"` // longest silence of a call; 0 is the default
	MaxSeconds     int  `json:"maxSeconds,omitempty"`     // longest time of a call whatever it reports; 0 is the default
	MaxResultMiB   int  `json:"maxResultMiB,omitempty"`   // largest message; 0 is the default
	// Roots are the folders that the person opened to the server, absolute.
	Roots []string `json:"roots,omitempty"`
}

// ProxyNone as Settings.Proxy means that no proxy is asked.
const ProxyNone = "none"

// Problem is something wrong or risky about one field. Field is a path such as
// "command", "args.1", "env.2.value"; Message is a sentence for a person.
type Problem struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// StdioSpec is a program ready to be started.
type StdioSpec struct {
	Path    string   // absolute
	Args    []string // without the program's name; values in place
	Env     []string // complete environment, NAME=value
	Dir     string   // absolute
	Size    int64    // of the executable, in bytes
	ModTime time.Time
}

// HTTPSpec is an address ready to be contacted.
type HTTPSpec struct {
	URL     string
	Headers []Var
	// ExtraCAs is the content of the CAFile; nil for none.
	ExtraCAs []byte
	// Proxy as in Settings, with values in place.
	Proxy     string
	PlainHTTP bool
}

// Resolved is what settings come to at one moment. Exactly one of Stdio and HTTP
// is set. It holds secret values: it is neither stored, logged nor shown.
type Resolved struct {
	Stdio       *StdioSpec
	HTTP        *HTTPSpec
	Fingerprint string          // hex; see [Fingerprint]
	Secrets     []secrets.Known // all values to be masked; Server is left empty
}

// Error tells, for a person, why settings cannot be resolved.
type Error struct {
	Code    string // CodeNotFound or CodeConfig
	Field   string // as in Problem
	Message string // what is wrong
	Hint    string // what to do; may be empty
	Cause   error  // may be nil
}

// Codes of an [Error].
const (
	CodeNotFound = "not_found" // the command cannot be found
	CodeConfig   = "config"    // anything else in the settings
)

func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause, such as [secrets.ErrNotFound].
func (e *Error) Unwrap() error { return e.Cause }

// Refs returns the names of all secrets the settings refer to, each once, with the
// fields that use it, in the order of the settings.
func (s Settings) Refs() []Ref {
	var out []Ref
	at := map[string]int{}
	for _, f := range s.templates() {
		for _, name := range secrets.Refs(f.text) {
			i, ok := at[name]
			if !ok {
				i = len(out)
				at[name] = i
				out = append(out, Ref{Name: name})
			}
			out[i].UsedIn = append(out[i].UsedIn, f.field)
		}
	}
	return out
}

// Ref is a secret that settings refer to.
type Ref struct {
	Name   string
	UsedIn []string // fields, as in Problem
}

type template struct{ field, text string }

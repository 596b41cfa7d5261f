package app

// ListView is an open call list.
type ListView struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`   // of the file, without its folder
	Format  string   `json:"format"` // "jsonl" or "csv"
	Lines   int      `json:"lines"`
	Faults  int      `json:"faults"`  // lines that cannot be used as they are
	Columns []string `json:"columns"` // of a CSV
	Started bool     `json:"started"`
	// ServerID and Tool are what was chosen for a CSV.
	ServerID        string      `json:"serverId"`
	Tool            string      `json:"tool"`
	AtOnce          int         `json:"atOnce"`
	DeadlineSeconds int         `json:"deadlineSeconds"` // 0: none
	Counts          []ListCount `json:"counts"`          // by state, in the order of the road
	Problem         string      `json:"problem"`         // why no more lines are proposed, or ""
}

// ListCount is how many lines are in a state.
type ListCount struct {
	State string `json:"state"`
	Count int    `json:"count"`
}

// ListLine is one line: its state is that of its call, or "ready" before there
// is one, or "not_proposed" where there will be none.
type ListLine struct {
	Line       int    `json:"line"` // in the file
	ID         string `json:"id"`   // the file's own name for it
	ServerName string `json:"serverName"`
	Tool       string `json:"tool"`
	State      string `json:"state"`
	CallID     string `json:"callId"`
	Reason     string `json:"reason"` // why it ended so, or was not proposed
}

// ListPage is some lines of a list.
type ListPage struct {
	List  ListView   `json:"list"`
	From  int        `json:"from"` // index of the first
	Lines []ListLine `json:"lines"`
}

// StartRequest starts a list. Server and tool are for a CSV only.
type StartRequest struct {
	ServerID        string `json:"serverId"`
	Tool            string `json:"tool"`
	AtOnce          int    `json:"atOnce"`          // how many of its calls wait or run together, 1 to 32
	DeadlineSeconds int    `json:"deadlineSeconds"` // how long each waits; 0: without end
}

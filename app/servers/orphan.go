package servers

// Mark tells one process from all others: a number is given again, but not
// with the same start within the same run of the system.
type Mark struct {
	PID int `json:"pid"`
	// Start is when it began, in the system's own count.
	Start string `json:"start"`
	// Boot names the run of the system.
	Boot string `json:"boot"`
	// Executable is the file that runs, which is an interpreter's for a script.
	Executable string `json:"executable"`
}

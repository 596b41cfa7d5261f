package app

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"

	"countersign/app/approval"
	"countersign/app/calls"
	"countersign/app/servers"
	"countersign/store"
)

// Error is a fault for a person: what happened and what to do. It crosses the
// bridge as JSON text (FormatError).
type Error struct {
	Code    string `json:"code"` // one of the Code constants
	Message string `json:"message"`
	Hint    string `json:"hint"`
	ID      string `json:"id"` // also in the log; only for CodeInternal
}

// Codes of Error.
const (
	CodeInvalid     = "invalid"     // what was given cannot be used
	CodeNotFound    = "not_found"   // there is no such thing any more
	CodeConflict    = "conflict"    // it has gone on meanwhile
	CodeRefused     = "refused"     // it is not allowed
	CodeUnavailable = "unavailable" // it cannot be done now
	CodeInternal    = "internal"    // our own fault
	CodeToken       = "token"       // the caller is not the page
)

func (e *Error) Error() string { return e.Message }

// FormatError is the form in which errors cross the bridge: a string, since
// the bridge turns anything else into "[object Object]".
func FormatError(err error) any {
	var e *Error
	switch {
	case err == nil:
		e = &Error{Code: CodeInternal, Message: "There is no error."}
	case !errors.As(err, &e):
		e = &Error{Code: CodeInternal, Message: err.Error()}
	}
	text, _ := json.Marshal(e)
	return string(text)
}

// shape turns any error into one for a person. What nobody foresaw is logged
// with an id and told in general words.
func (a *App) shape(method string, err error) error {
	var (
		own         *Error
		answer      *approval.AnswerError
		move        *calls.MoveError
		unavailable *calls.UnavailableError
		attention   *servers.AttentionError
	)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &own):
		return own
	case errors.As(err, &answer):
		return &Error{Code: CodeRefused, Message: sentence(answer.Reason), Hint: "Look at the card again and answer what it shows now."}
	case errors.As(err, &move):
		return &Error{Code: CodeConflict, Message: sentence(move.Error()), Hint: "It has gone on meanwhile; its page shows how."}
	case errors.As(err, &unavailable):
		return &Error{Code: CodeUnavailable, Message: sentence(unavailable.Reason)}
	case errors.As(err, &attention):
		return &Error{Code: CodeUnavailable, Message: sentence(attention.Reason), Hint: attention.Hint}
	case errors.Is(err, calls.ErrNoTool):
		return &Error{Code: CodeNotFound, Message: sentence(err.Error()), Hint: "Refresh the server's tools."}
	case errors.Is(err, store.ErrNotFound):
		return &Error{Code: CodeNotFound, Message: "This does not exist any more."}
	case errors.Is(err, context.Canceled):
		return &Error{Code: CodeUnavailable, Message: "Countersign is closing."}
	}
	return a.internal(method, err)
}

func (a *App) internal(method string, err error) error {
	var b [6]byte
	_, _ = rand.Read(b[:])
	id := hex.EncodeToString(b[:])
	a.log.Error("internal fault", slog.String("id", id), slog.String("method", method), slog.String("error", a.mask.text(err.Error())))
	return &Error{Code: CodeInternal, ID: id, Message: "Something went wrong inside Countersign.",
		Hint: "Nothing was sent because of it. The log names it as " + id + "."}
}

// sentence makes a clause a sentence.
func sentence(s string) string {
	if s == "" {
		return s
	}
	r := []rune(s)
	if r[0] >= 'a' && r[0] <= 'z' {
		r[0] -= 'a' - 'A'
	}
	if last := r[len(r)-1]; last != '.' && last != '?' && last != ')' {
		r = append(r, '.')
	}
	return string(r)
}

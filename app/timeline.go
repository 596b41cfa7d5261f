package app

import (
	"encoding/json"
	"fmt"
	"time"

	"countersign/app/calls"
	"countersign/mcpclient"
	"countersign/store"
)

// timelineItem words an event of a call.
func timelineItem(e store.Event) TimelineItem {
	item := TimelineItem{Seq: e.Seq, Time: stamp(e.Time), Kind: e.Kind, Title: e.Kind}
	var stored struct {
		Body json.RawMessage `json:"body"`
	}
	if json.Unmarshal(e.Stored, &stored) != nil {
		item.Title = "This event cannot be read"
		item.Detail = string(e.Stored)
		return item
	}
	item.Detail = string(stored.Body)
	if title := eventTitle(e.Kind, stored.Body); title != "" {
		item.Title = title
	}
	return item
}

// asOf tells of a definition that could not be checked; received is the time as
// it stands in the record, or empty.
func asOf(received string) string {
	at, err := time.Parse(time.RFC3339Nano, received)
	if err != nil {
		return ""
	}
	return ", by the definition as of " + at.Local().Format(dayAndTime) + ", not checked since"
}

// eventTitle is a sentence, without a full stop, that says what happened.
func eventTitle(kind string, body []byte) string {
	switch kind {
	case calls.EventProposed:
		b := read[calls.ProposedBody](body)
		if b.Method == calls.MethodRead {
			return "The person had the link of a result read"
		}
		if b.Because != "" {
			return "Proposed anew, since the tool's definition changed"
		}
		if b.Origin == calls.OriginList {
			return "Proposed by the call list " + b.Detail + asOf(b.Unchecked)
		}
		return "Proposed by the person at the window" + asOf(b.Unchecked)
	case calls.EventAsked:
		return "Asked for approval"
	case calls.EventRevised:
		b := read[calls.ProposedBody](body)
		return fmt.Sprintf("Arguments edited: revision %d", b.Revision)
	case calls.EventDecided:
		b := read[calls.DecidedBody](body)
		word := "Denied"
		if b.Verdict == calls.VerdictApproved {
			word = "Approved"
		}
		if b.By == calls.ByRule {
			return word + " by the rule “" + b.RuleName + "”"
		}
		word += " by the person" + asOf(b.Unchecked)
		if b.Reason != "" {
			return word + ": " + b.Reason
		}
		return word
	case calls.EventSent:
		b := read[calls.SentBody](body)
		switch {
		case b.Kind == string(mcpclient.SendAnswer):
			return "Answer sent to the server"
		case b.Round > 0:
			return fmt.Sprintf("Answers sent to the server, round %d", b.Round)
		}
		return fmt.Sprintf("Sent to the server, attempt %d", b.Attempt)
	case calls.EventAgain:
		return "The server did not run it, so it may be sent once more: " + read[calls.EndBody](body).Reason
	case calls.EventInputAsked:
		n := len(read[calls.InputAskedBody](body).Requests)
		if n == 0 {
			return "The server wants to be asked again later"
		}
		if n != 1 {
			return fmt.Sprintf("The server asked %d questions", n)
		}
		return "The server asked a question"
	case calls.EventInputAnswered:
		b := read[calls.InputAnsweredBody](body)
		if b.Action == calls.ModeResume {
			return "The person had the server asked again"
		}
		return "Answered by the person: " + b.Action
	case calls.EventInputGone:
		return "The server took its question back"
	case calls.EventAddressOpened:
		return "The person had the address opened in the browser"
	case calls.EventCancelAsked:
		return "The person asked to stop it"
	case calls.EventAftermath:
		return aftermathTitle(read[calls.AftermathBody](body))
	}
	return endTitle(kind, read[calls.EndBody](body))
}

// aftermathTitle says what was heard of a call that had been given up.
func aftermathTitle(b calls.AftermathBody) string {
	switch mcpclient.AftermathKind(b.Heard) {
	case mcpclient.AfterFinished:
		if b.IsError {
			return "The server finished it all the same, with an error of the tool"
		}
		return "The server finished it all the same: what it does was done"
	case mcpclient.AfterAcknowledged:
		return "The server then answered with an error: " + b.Reason
	case mcpclient.AfterAsked:
		return "The server then asked for input; the question was dropped"
	case mcpclient.AfterIgnored:
		return "The server did not stop: it went on reporting progress"
	case mcpclient.AfterSilent:
		return "The server gave no further word: what it did until the stop is unknown"
	case mcpclient.AfterClosed:
		return "The server was told by closing the connection, to which there is no answer"
	}
	return ""
}

func endTitle(kind string, b calls.EndBody) string {
	words := map[calls.State]string{
		calls.Succeeded: "The result arrived", calls.ToolFailed: "The tool reported an error", calls.ProtocolFailed: "The server answered with an error",
		calls.Cancelled: "Stopped: what the server did until then is unknown", calls.TimedOut: "No answer in time: the effect is unknown",
		calls.Lost: "The connection ended before the answer: the effect is unknown", calls.NotSent: "Not sent",
		calls.Refused: "Not let out", calls.Expired: "Expired", calls.Withdrawn: "Withdrawn", calls.Interrupted: "Interrupted: the effect is unknown",
		calls.AwaitingApproval: "The approval ran out: the call asks again",
	}
	title, ok := words[calls.State(b.State)]
	if !ok {
		return ""
	}
	if b.Reason != "" && kind != calls.EventInterrupted {
		return title + ": " + b.Reason
	}
	return title
}

func read[T any](body []byte) T {
	var b T
	_ = json.Unmarshal(body, &b) // an unreadable part reads as empty; the detail shows the bytes
	return b
}

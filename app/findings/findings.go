// Package findings looks through definitions, arguments and names for what a
// person does not see, may take for something else, or should know before
// saying yes. It is pure, deterministic and offline: the same bytes give the same
// findings. A finding raises the guard; that there is none proves nothing.
package findings

import (
	"fmt"
	"strings"

	"countersign/app/rawjson"
)

// Kind is what was found.
type Kind string

// The kinds.
const (
	Invisible   Kind = "invisible"    // characters that draw nothing
	Bidi        Kind = "bidi"         // characters that change the direction of reading
	Control     Kind = "control"      // control characters, terminal sequences
	BlankRun    Kind = "blank_run"    // so much white space that it pushes text out of sight
	MixedScript Kind = "mixed_script" // one word in letters of two scripts that look alike
	LookAlike   Kind = "look_alike"   // a name that reads like another known one
	Secret      Kind = "secret"       // a credential, by its shape or its disorder
	Encoded     Kind = "encoded"      // text within an encoding
	Instruction Kind = "instruction"  // words that are aimed at a model
	OtherTool   Kind = "other_tool"   // a tool of another server is named
	DataFolder  Kind = "data_folder"  // our own data is named, or what contains it
	More        Kind = "more"         // findings beyond Most, or text beyond what is looked through
)

// Most is how many findings one scan gives; beyond it one of kind More tells how
// many there were.
const Most = 100

// maxText is how much of one text is looked through for words, secrets and
// encodings, in bytes; what follows is told to be unread. Characters that do not
// show are looked for in all of it.
const maxText = 64 << 10

// Finding is one thing that was found.
type Finding struct {
	Kind Kind
	// Pointer is the JSON Pointer of the text; Name says that it is the member's
	// name rather than its value.
	Pointer string
	Name    bool
	// Offset is where in the decoded text the piece begins, in bytes.
	Offset int
	// Piece is what was found, short, with what does not show as code points. A
	// secret's is only its beginning.
	Piece string
	// Says is a sentence for the person.
	Says string
}

// Known is what texts are compared with. Immutable, safe to use together.
type Known struct {
	byName     map[string]Tool
	byReading  map[string][]Tool // by Skeleton
	folder     string
	homeFolder string
}

// Tool is a tool of some server, by the name that the person gave that server.
type Tool struct{ Server, Name string }

// NewKnown takes the tools of other servers than the one whose texts are scanned,
// and the absolute paths of the app's own data and of the person's home folder.
func NewKnown(tools []Tool, folder, home string) *Known {
	k := &Known{byName: map[string]Tool{}, byReading: map[string][]Tool{}, folder: folder, homeFolder: home}
	for _, t := range tools {
		k.byName[t.Name] = t
		reading := Skeleton(t.Name)
		k.byReading[reading] = append(k.byReading[reading], t)
	}
	return k
}

// scan gathers the findings of one scan.
type scan struct {
	known *Known
	out   []Finding
	total int
}

func (s *scan) add(f Finding) {
	if s.total++; s.total <= Most {
		f.Piece = clip(f.Piece, 120)
		s.out = append(s.out, f)
	}
}

func (s *scan) done() []Finding {
	if s.total > Most {
		s.out = append(s.out, Finding{Kind: More, Says: fmt.Sprintf("There are %d more findings of these kinds.", s.total-Most)})
	}
	return s.out
}

// Definition scans a tool object as its server listed it. Bytes that are no JSON
// give what was found before the fault.
func Definition(raw []byte, known *Known) []Finding {
	s := &scan{known: known}
	_ = rawjson.Texts(raw, func(pointer string, name bool, text string) {
		at := Finding{Pointer: pointer, Name: name}
		text = s.everywhere(at, text)
		if name {
			return
		}
		s.encoded(at, text)
		s.instructions(at, text)
		s.otherTools(at, text)
		if pointer == "/name" {
			s.lookAlikes(at, text)
		}
	})
	return s.done()
}

// Arguments scans the arguments of a call.
func Arguments(raw []byte, known *Known) []Finding {
	s := &scan{known: known}
	_ = rawjson.Texts(raw, func(pointer string, name bool, text string) {
		at := Finding{Pointer: pointer, Name: name}
		text = s.everywhere(at, text)
		if !name {
			s.encoded(at, text)
		}
	})
	return s.done()
}

// everywhere looks for what matters in any text, and gives the part of it that is
// looked through for words.
func (s *scan) everywhere(at Finding, text string) string {
	s.hidden(at, text)
	if len(text) > maxText {
		f := at
		f.Kind, f.Offset, f.Says = More, maxText, fmt.Sprintf("This text is %d KiB long; only its first %d KiB were looked through for words and secrets.", len(text)>>10, maxText>>10)
		s.add(f)
		text = strings.ToValidUTF8(text[:maxText], "")
	}
	s.scripts(at, text)
	s.secrets(at, text)
	s.folder(at, text)
	return text
}

// clip cuts a text between two characters, visibly.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

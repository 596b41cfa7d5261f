package findings

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// pattern is an expression and the small letters of which one must be there for
// it to be tried: expressions that ignore case are slow.
type pattern struct {
	hints []string
	re    *regexp.Regexp
}

func hinted(re string, hints ...string) pattern {
	return pattern{hints, regexp.MustCompile("(?i)" + re)}
}

// aimed are ways of speaking to a model rather than to a person. They are kept
// few and plain: each stands for attacks that were seen in the field.
var aimed = []pattern{
	hinted(`\bignore (?:all |any |the |your )*(?:previous|prior|above|earlier|other|system) (?:instructions?|rules|prompts?|messages)`, "ignore "),
	hinted(`\b(?:do not|don't|never|without) (?:tell|telling|mention|mentioning|inform|informing|notify|notifying|reveal|revealing|ask|asking)\b[^.\n]{0,30}\b(?:user|person|human)\b`, "user", "person", "human"),
	hinted(`</?(?:important|system|instructions?|secret|assistant|admin|critical)>`, ">"),
	hinted(`\b(?:system|developer) (?:prompt|message)\b`, "system ", "developer "),
	hinted(`\b(?:before|when|after|instead of) (?:using|calling|invoking|running) (?:this|any|other|another|the) [^.\n]{0,40}\btools?\b[^.\n]{0,80}\b(?:must|always|first|read|call|send)\b`, "using ", "calling ", "invoking ", "running "),
	hinted(`\byou (?:must|should|have to) (?:always|first|never|also)\b`, "you "),
	hinted(`\b(?:you are|act as|behave as) (?:an? |the )?(?:ai|assistant|language model|agent|llm)\b`, "you are", " as "),
	hinted(`\b(?:send|upload|post|forward|include|pass|append|put)\b[^.\n]{0,60}\b(?:conversation|chat history|system prompt|credentials|private key|passwords?|\.env|id_rsa|\.ssh)\b`,
		"conversation", "history", "prompt", "credentials", "key", "password", ".env", "id_rsa", ".ssh"),
}

// instructions finds words that are aimed at a model.
func (s *scan) instructions(at Finding, text string) {
	small := strings.ToLower(text)
	for _, p := range aimed {
		if !slices.ContainsFunc(p.hints, func(hint string) bool { return strings.Contains(small, hint) }) {
			continue
		}
		for _, loc := range p.re.FindAllStringIndex(text, 3) {
			f := at
			f.Kind, f.Offset, f.Piece = Instruction, loc[0], text[loc[0]:loc[1]]
			f.Says = "This speaks to a model rather than to you."
			s.add(f)
		}
	}
}

// otherTools finds names of other servers' tools. A name that is a plain word
// counts only where it is marked as a name.
func (s *scan) otherTools(at Finding, text string) {
	seen := map[string]bool{}
	for i := 0; i < len(text); {
		if !inName(text[i]) {
			i++
			continue
		}
		start := i
		for i < len(text) && (inName(text[i]) || (text[i] == '.' && i+1 < len(text) && inName(text[i+1]))) {
			i++
		}
		name := text[start:i]
		t, ok := s.known.byName[name]
		if !ok || seen[name] || len(name) < 4 {
			continue
		}
		if !strings.ContainsAny(name, "_-.0123456789") && !marked(text, start, i) {
			continue
		}
		seen[name] = true
		f := at
		f.Kind, f.Offset, f.Piece = OtherTool, start, name
		f.Says = fmt.Sprintf("It names a tool of another server, %s.", t.Server)
		s.add(f)
	}
}

// inName reports whether a byte is part of a name as servers make them.
func inName(c byte) bool {
	return c == '_' || c == '-' || c >= 0x80 || (c >= '0' && c <= '9') || (c|0x20 >= 'a' && c|0x20 <= 'z')
}

func marked(text string, start, end int) bool {
	return start > 0 && end < len(text) && strings.ContainsRune("`'\"", rune(text[start-1])) && strings.ContainsRune("`'\"", rune(text[end]))
}

// folder finds paths that name the app's own data or a folder that contains it.
func (s *scan) folder(at Finding, text string) {
	own := s.known.folder
	if own == "" || len(text) > 1<<20 {
		return
	}
	f := at
	f.Kind, f.Piece = DataFolder, text
	if i := strings.Index(text, own); i >= 0 {
		f.Offset, f.Piece = i, own
		f.Says = "It names the folder in which Countersign keeps its record."
		s.add(f)
		return
	}
	path := text
	for _, start := range []string{"~", "$HOME", "${HOME}"} {
		if rest, ok := strings.CutPrefix(path, start); ok && (rest == "" || rest[0] == '/') {
			path = s.known.homeFolder + rest
		}
	}
	path = strings.TrimPrefix(path, "file://")
	if len(path) > 4096 || !filepath.IsAbs(path) || strings.ContainsAny(path, "\n") {
		return
	}
	path = filepath.Clean(path)
	switch {
	case path == own || strings.HasPrefix(path, own+string(filepath.Separator)):
		f.Says = "It names the folder in which Countersign keeps its record."
	case path == string(filepath.Separator) || strings.HasPrefix(own, path+string(filepath.Separator)):
		f.Says = "It names a folder that contains Countersign's own record."
	default:
		return
	}
	s.add(f)
}

package rawjson

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sort"
	"unicode/utf8"
)

// Compact returns src without white space outside strings and otherwise byte
// for byte as given. It refuses what two readers could understand
// differently: duplicate member names (compared decoded), lone surrogates,
// invalid UTF-8 and text behind the value. Errors are *SyntaxError.
func Compact(src []byte) ([]byte, error) {
	if i := invalidUTF8(src); i >= 0 {
		return nil, &SyntaxError{i, "the text is not valid UTF-8"}
	}
	c := &compacter{src: src, out: make([]byte, 0, len(src))}
	s := &scanner{src: src, v: c}
	if err := s.document(); err != nil {
		return nil, err
	}
	if c.bad != nil {
		return nil, c.bad
	}
	return c.out, nil
}

func invalidUTF8(b []byte) int {
	if utf8.Valid(b) {
		return -1
	}
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

type compacter struct {
	src, out []byte
	names    []map[string]bool // one per open container; nil for arrays
	comma    []bool            // whether the open container already has an item
	afterKey bool
	bad      error
}

func (c *compacter) item() {
	if c.afterKey {
		c.afterKey = false
		return
	}
	if n := len(c.comma); n > 0 {
		if c.comma[n-1] {
			c.out = append(c.out, ',')
		}
		c.comma[n-1] = true
	}
}

func (c *compacter) key(start, end int) error {
	c.item()
	tok := c.src[start:end]
	if i := loneSurrogate(tok); i >= 0 {
		return &SyntaxError{start + i, "a member name holds half of a surrogate pair"}
	}
	seen := c.names[len(c.names)-1]
	name, _ := unquote(tok)
	if seen[name] {
		return &SyntaxError{start, fmt.Sprintf("the member name %q stands twice in one object", name)}
	}
	seen[name] = true
	c.out = append(append(c.out, tok...), ':')
	c.afterKey = true
	return nil
}

func (c *compacter) scalar(start, end int) {
	c.item()
	tok := c.src[start:end]
	if tok[0] == '"' && c.bad == nil {
		if i := loneSurrogate(tok); i >= 0 {
			c.bad = &SyntaxError{start + i, "a string holds half of a surrogate pair"}
		}
	}
	c.out = append(c.out, tok...)
}

func (c *compacter) open(kind byte) {
	c.item()
	c.out = append(c.out, kind)
	var seen map[string]bool
	if kind == '{' {
		seen = map[string]bool{}
	}
	c.names, c.comma = append(c.names, seen), append(c.comma, false)
}

func (c *compacter) close(kind byte) {
	c.out = append(c.out, kind)
	c.names, c.comma = c.names[:len(c.names)-1], c.comma[:len(c.comma)-1]
}

// Member is one name and value of an object; Value aliases the input.
type Member struct {
	Key   string
	Value json.RawMessage
}

// Members returns the members of an object in the order they stand in, equal
// names included. The input must be one JSON object; errors are *SyntaxError.
func Members(obj []byte) ([]Member, error) {
	return children(obj, '{', "this is not a JSON object")
}

// Items returns the items of an array; they alias the input, which must be one
// JSON array. Errors are *SyntaxError.
func Items(array []byte) ([]json.RawMessage, error) {
	list, err := children(array, '[', "this is not a JSON array")
	if err != nil {
		return nil, err
	}
	items := make([]json.RawMessage, len(list))
	for i, m := range list {
		items[i] = m.Value
	}
	return items, nil
}

// children gives what stands directly in a container; items have no key.
func children(src []byte, kind byte, otherwise string) ([]Member, error) {
	m := &memberer{src: src}
	s := &scanner{src: src, v: m}
	s.space()
	if s.pos >= len(src) || src[s.pos] != kind {
		return nil, s.fail(otherwise)
	}
	m.s = s
	if err := s.document(); err != nil {
		return nil, err
	}
	return m.list, nil
}

type memberer struct {
	src   []byte
	s     *scanner
	depth int
	name  string
	start int
	list  []Member
}

func (m *memberer) key(start, end int) error {
	if m.depth == 1 {
		m.name, _ = unquote(m.src[start:end])
	}
	return nil
}

func (m *memberer) scalar(start, end int) {
	if m.depth == 1 {
		m.list = append(m.list, Member{m.name, m.src[start:end]})
	}
}

func (m *memberer) open(byte) {
	if m.depth++; m.depth == 2 {
		m.start = m.s.pos - 1
	}
}

func (m *memberer) close(byte) {
	if m.depth == 2 {
		m.list = append(m.list, Member{m.name, m.src[m.start:m.s.pos]})
	}
	m.depth--
}

// Get returns the value of the first member of that name, and whether obj is
// an object that has one. The value aliases obj.
func Get(obj []byte, key string) (json.RawMessage, bool) {
	list, err := Members(obj)
	if err != nil {
		return nil, false
	}
	for _, m := range list {
		if m.Key == key {
			return m.Value, true
		}
	}
	return nil, false
}

// Text returns the decoded text of a JSON string value, and false for any
// other value.
func Text(value []byte) (string, bool) {
	value = bytes.TrimSpace(value)
	if len(value) < 2 || value[0] != '"' {
		return "", false
	}
	var out string
	if json.Unmarshal(value, &out) != nil {
		return "", false
	}
	return out, true
}

// GetText is Get followed by Text.
func GetText(obj []byte, key string) (string, bool) {
	v, ok := Get(obj, key)
	if !ok {
		return "", false
	}
	return Text(v)
}

// Fingerprint is the hex SHA-256 of a JSON value in which the order of
// members, white space and string escapes make no difference, and everything
// else does: unknown members and the text of numbers count. Members of equal
// name count in their order.
func Fingerprint(value []byte) (string, error) {
	f := &fingerprinter{src: value}
	s := &scanner{src: value, v: f}
	if err := s.document(); err != nil {
		return "", err
	}
	return hex.EncodeToString(f.done[:]), nil
}

// Hash is the hex SHA-256 of the bytes as they are.
func Hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

type node struct {
	kind byte
	keys []string
	sums [][32]byte
	name string
}

type fingerprinter struct {
	src   []byte
	stack []*node
	done  [32]byte
}

func (f *fingerprinter) put(sum [32]byte) {
	if len(f.stack) == 0 {
		f.done = sum
		return
	}
	top := f.stack[len(f.stack)-1]
	top.sums = append(top.sums, sum)
	if top.kind == '{' {
		top.keys = append(top.keys, top.name)
	}
}

func (f *fingerprinter) key(start, end int) error {
	f.stack[len(f.stack)-1].name = distinct(f.src[start:end])
	return nil
}

func (f *fingerprinter) scalar(start, end int) {
	tok := f.src[start:end]
	if tok[0] == '"' {
		f.put(sha256.Sum256([]byte(distinct(tok))))
		return
	}
	f.put(sha256.Sum256(append([]byte("n"), tok...)))
}

func (f *fingerprinter) open(kind byte) { f.stack = append(f.stack, &node{kind: kind}) }

func (f *fingerprinter) close(byte) {
	top := f.stack[len(f.stack)-1]
	f.stack = f.stack[:len(f.stack)-1]
	order := make([]int, len(top.sums))
	for i := range order {
		order[i] = i
	}
	if top.kind == '{' {
		sort.SliceStable(order, func(a, b int) bool { return top.keys[order[a]] < top.keys[order[b]] })
	}
	h := sha256.New()
	h.Write([]byte{top.kind})
	for _, i := range order {
		if top.kind == '{' {
			var n [8]byte
			binary.BigEndian.PutUint64(n[:], uint64(len(top.keys[i])))
			h.Write(n[:])
			h.Write([]byte(top.keys[i]))
		}
		h.Write(top.sums[i][:])
	}
	var sum [32]byte
	h.Sum(sum[:0])
	f.put(sum)
}

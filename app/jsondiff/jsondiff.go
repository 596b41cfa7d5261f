// Package jsondiff tells how one JSON value differs from another, part by part.
// The order of members and the spelling of strings make no difference, as in
// rawjson.Fingerprint; numbers differ when their text does. It is pure.
package jsondiff

import (
	"encoding/json"
	"strconv"

	"countersign/app/rawjson"
)

// Kind is what happened to a part.
type Kind string

// The kinds of changes.
const (
	Added   Kind = "added"
	Removed Kind = "removed"
	Changed Kind = "changed"
)

// Change is one part that differs. Before and After are the bytes of the part as
// they stand in the two values; nil where it is not there.
type Change struct {
	Pointer       string // JSON Pointer: into the value after, for Removed into the one before
	Kind          Kind
	Before, After []byte
}

// maxDepth is how deep values are taken apart; deeper ones are compared whole.
const maxDepth = 64

// Diff gives the changes that lead from one value to the other, in the order of
// the value after, at most limit of them, and how many more there are. Values
// that are not sound JSON are compared as bytes. Items of arrays are compared
// with those at their place, after equal ones at both ends.
func Diff(before, after []byte, limit int) (changes []Change, more int) {
	d := &differ{limit: limit}
	d.value("", before, after, 0)
	return d.changes, d.more
}

type differ struct {
	limit   int
	changes []Change
	more    int
}

func (d *differ) add(pointer string, kind Kind, before, after []byte) {
	if len(d.changes) >= d.limit {
		d.more++
		return
	}
	d.changes = append(d.changes, Change{pointer, kind, before, after})
}

func same(a, b []byte) bool {
	x, errA := rawjson.Fingerprint(a)
	y, errB := rawjson.Fingerprint(b)
	if errA != nil || errB != nil {
		return string(a) == string(b)
	}
	return x == y
}

func (d *differ) value(pointer string, before, after []byte, depth int) {
	if same(before, after) {
		return
	}
	if depth < maxDepth {
		if a, err := rawjson.Members(before); err == nil {
			if b, err := rawjson.Members(after); err == nil && unique(a) && unique(b) {
				d.object(pointer, a, b, depth+1)
				return
			}
		}
		if a, err := rawjson.Items(before); err == nil {
			if b, err := rawjson.Items(after); err == nil {
				d.array(pointer, a, b, depth+1)
				return
			}
		}
	}
	d.add(pointer, Changed, before, after)
}

// unique reports whether each name stands once: else parts cannot be told apart.
func unique(members []rawjson.Member) bool {
	seen := make(map[string]bool, len(members))
	for _, m := range members {
		if seen[m.Key] {
			return false
		}
		seen[m.Key] = true
	}
	return true
}

func (d *differ) object(pointer string, before, after []rawjson.Member, depth int) {
	old := make(map[string][]byte, len(before))
	for _, m := range before {
		old[m.Key] = m.Value
	}
	for _, m := range after {
		at := pointer + "/" + rawjson.EscapePointer(m.Key)
		was, there := old[m.Key]
		delete(old, m.Key)
		if !there {
			d.add(at, Added, nil, m.Value)
			continue
		}
		d.value(at, was, m.Value, depth)
	}
	for _, m := range before {
		if was, gone := old[m.Key]; gone {
			d.add(pointer+"/"+rawjson.EscapePointer(m.Key), Removed, was, nil)
		}
	}
}

func (d *differ) array(pointer string, before, after []json.RawMessage, depth int) {
	start, endA, endB := 0, len(before), len(after)
	for start < endA && start < endB && same(before[start], after[start]) {
		start++
	}
	for endA > start && endB > start && same(before[endA-1], after[endB-1]) {
		endA, endB = endA-1, endB-1
	}
	for i := start; i < endA || i < endB; i++ {
		at := pointer + "/" + strconv.Itoa(i)
		switch {
		case i >= endA:
			d.add(at, Added, nil, after[i])
		case i >= endB:
			d.add(at, Removed, before[i], nil)
		default:
			d.value(at, before[i], after[i], depth)
		}
	}
}

package icons

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// wanted is the side length, in pixels, for which an icon is picked; maxIcons
// the number of entries that are looked at.
const (
	wanted   = 48
	maxIcons = 32
)

// Icon is one entry of an "icons" array (ICON-09), read leniently: what can't
// be read is as if absent, except for Src.
type Icon struct {
	Src      string
	MIMEType string
	Sizes    []string // "48x48" or "any"
	Theme    string   // "light", "dark" or "": the background it is meant for
}

// Refusal says why one entry of an "icons" array is not used.
type Refusal struct {
	Index int // place in the array
	Err   error
}

// Pick reads an "icons" array and gives the icons that may be fetched, the
// best one first: meant for the theme ("light" or "dark"), then nearest to 48
// pixels, then in the server's order. serverOrigin is as for Vet. Whatever is
// wrong with an entry, or with the whole, is a Refusal and never more. An
// absent array (nil, null) gives nothing.
func Pick(raw json.RawMessage, theme, serverOrigin string) ([]Source, []Refusal) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil {
		return nil, []Refusal{{Err: &RefusedError{Code: CodeMalformed, Reason: "the icons are not a list", Cause: err}}}
	}
	type ranked struct {
		source          Source
		theme, distance int
	}
	var good []ranked
	var refusals []Refusal
	for i, item := range items {
		if i == maxIcons {
			refusals = append(refusals, Refusal{Index: i, Err: refuse(CodeSize, "only the first %d of %d icons are looked at", maxIcons, len(items))})
			break
		}
		icon, err := parse(item)
		if err != nil {
			refusals = append(refusals, Refusal{Index: i, Err: err})
			continue
		}
		source, err := Vet(icon, serverOrigin)
		if err != nil {
			refusals = append(refusals, Refusal{Index: i, Err: err})
			continue
		}
		good = append(good, ranked{source, themeRank(icon.Theme, theme), distance(icon.Sizes)})
	}
	slices.SortStableFunc(good, func(a, b ranked) int {
		if a.theme != b.theme {
			return a.theme - b.theme
		}
		return a.distance - b.distance
	})
	var sources []Source
	for _, r := range good {
		sources = append(sources, r.source)
	}
	return sources, refusals
}

func parse(item json.RawMessage) (Icon, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(item, &fields); err != nil || fields == nil {
		return Icon{}, refuse(CodeMalformed, "the icon is not an object")
	}
	icon := Icon{MIMEType: text(fields["mimeType"]), Theme: text(fields["theme"])}
	icon.Src = text(fields["src"])
	if icon.Src == "" {
		return Icon{}, refuse(CodeMalformed, "the icon has no address")
	}
	var sizes []json.RawMessage
	if json.Unmarshal(fields["sizes"], &sizes) == nil {
		for _, size := range sizes {
			icon.Sizes = append(icon.Sizes, text(size))
		}
	} else {
		icon.Sizes = strings.Fields(text(fields["sizes"])) // an early draft wrote one string
	}
	return icon, nil
}

func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// themeRank is 0 for an icon meant for the theme, 1 for one of no theme, 2 for
// one of the other theme.
func themeRank(icon, theme string) int {
	switch icon {
	case theme:
		return 0
	case "light", "dark":
		return 2
	}
	return 1
}

// distance tells how far the nearest stated size is from the wanted one. No
// readable size, and "any", count as an image of twice the wanted size.
func distance(sizes []string) int {
	best := -1
	for _, size := range sizes {
		side, err := side(size)
		if err != nil {
			continue
		}
		d := side - wanted
		if d < 0 {
			d = -2 * d // drawing larger costs more than drawing smaller
		}
		if best < 0 || d < best {
			best = d
		}
	}
	if best < 0 {
		return wanted
	}
	return best
}

// side gives the longer side of "WxH".
func side(size string) (int, error) {
	w, h, found := strings.Cut(strings.ToLower(size), "x")
	if !found {
		return 0, fmt.Errorf("the size %s is not WxH", quoted(size))
	}
	width, err := strconv.ParseUint(w, 10, 16)
	if err != nil {
		return 0, fmt.Errorf("reading the width: %w", err)
	}
	height, err := strconv.ParseUint(h, 10, 16)
	if err != nil {
		return 0, fmt.Errorf("reading the height: %w", err)
	}
	return int(max(width, height)), nil
}

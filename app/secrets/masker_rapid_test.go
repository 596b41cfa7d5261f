package secrets_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"

	"countersign/app/secrets"
)

// forms returns encodings of a secret as programs write them; none shares code with
// the masker.
func forms(secret string) []string {
	esc := func(s string) string { b, _ := json.Marshal(s); return string(b[1 : len(b)-1]) }
	noHTML := func(s string) string {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		e.Encode(s)
		return strings.TrimSuffix(b.String(), "\n")[1 : b.Len()-2]
	}
	u16 := func(s, format string) string {
		var b strings.Builder
		for _, u := range utf16.Encode([]rune(s)) {
			fmt.Fprintf(&b, format, u)
		}
		return b.String()
	}
	bytewise := func(s, format string) string {
		var b strings.Builder
		for i := range len(s) {
			fmt.Fprintf(&b, format, s[i])
		}
		return b.String()
	}
	out := []string{
		secret, esc(secret), noHTML(secret), strings.ReplaceAll(noHTML(secret), "/", `\/`),
		u16(secret, `\u%04x`), u16(secret, `\u%04X`), esc(esc(secret)), esc(u16(secret, `\u%04x`)),
		url.QueryEscape(secret), url.PathEscape(secret), strings.ToLower(bytewise(secret, "%%%02x")), bytewise(secret, "%%%02X"),
		url.QueryEscape(url.QueryEscape(secret)), esc(url.PathEscape(secret)),
	}
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for shift := range 3 {
			// Only the characters that the secret determines, found by encoding it twice
			// between different neighbours and keeping what is common.
			around := func(c byte) string {
				fill := strings.Repeat(string(rune(c)), shift)
				return enc.EncodeToString([]byte(fill + secret + strings.Repeat(string(rune(c)), 3)))
			}
			low, high := around(0), around(127)
			from, to := (8*shift+5)/6, 8*(shift+len(secret))/6
			if low[from:to] != high[from:to] {
				panic("not determined")
			}
			b64 := low[from:to]
			out = append(out, b64, strings.ReplaceAll(b64, "/", `\/`), url.QueryEscape(b64))
		}
	}
	return out
}

// alphabet is small and nasty, so that secrets overlap, look like escapes and meet
// structure.
var alphabet = []rune("abnu0041\"\\/%+ \n{}[]:,é😀«secrt:»=")

func drawSecret(t *rapid.T, label string) string {
	return rapid.StringOfN(rapid.SampledFrom(alphabet), 8, 24, -1).Filter(func(s string) bool {
		return len(s) >= 8 && strings.TrimSpace(s) == s
	}).Draw(t, label)
}

func drawText(t *rapid.T, label string) string {
	return rapid.StringOfN(rapid.SampledFrom(alphabet), 0, 12, -1).Draw(t, label)
}

func TestMaskLeavesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := []string{drawSecret(t, "a"), drawSecret(t, "b")}
		if rapid.Bool().Draw(t, "overlap") {
			half := []rune(values[0])
			values[1] = string(half[len(half)/2:]) + values[1]
		}
		m := secrets.NewMasker([]secrets.Known{{Name: "A", Value: values[0]}, {Name: "B", Value: values[1]}})
		var text strings.Builder
		text.WriteString(drawText(t, "before"))
		for range rapid.IntRange(1, 3).Draw(t, "n") {
			text.WriteString(rapid.SampledFrom(forms(rapid.SampledFrom(values).Draw(t, "value"))).Draw(t, "form"))
			text.WriteString(drawText(t, "between"))
		}
		kept, places := m.Mask([]byte(text.String()))
		if places == 0 {
			t.Fatalf("nothing found in %q", text.String())
		}
		checkGone(t, kept, values)
	})
}

func checkGone(t *rapid.T, kept []byte, values []string) {
	for _, v := range values {
		for _, f := range forms(v) {
			if bytes.Contains(kept, []byte(f)) {
				t.Fatalf("%q is left in %q", f, kept)
			}
		}
	}
}

func TestMaskKeepsJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := drawSecret(t, "secret")
		short := rapid.StringOfN(rapid.SampledFrom(alphabet), 1, 4, 7).Draw(t, "short")
		m := secrets.NewMasker([]secrets.Known{{Name: "A", Value: value}, {Name: "N", Value: "1234567890"}, {Name: "S", Value: short}})
		str := rapid.Custom(func(t *rapid.T) string {
			form := rapid.SampledFrom(append(forms(value), "", short, "1234567890")).Draw(t, "form")
			b, _ := json.Marshal(drawText(t, "x") + form + drawText(t, "y"))
			if raw := `"` + form + `"`; rapid.Bool().Draw(t, "raw") && json.Valid([]byte(raw)) {
				return raw
			}
			return string(b)
		})
		scalar := rapid.OneOf(str, rapid.SampledFrom([]string{"1234567890", "-12345678905", "12345678901e7", "true", "null", "0", "4", "{}", "[]"}))
		var doc strings.Builder
		doc.WriteString("[")
		for i := range rapid.IntRange(1, 5).Draw(t, "n") {
			if i > 0 {
				doc.WriteString(rapid.SampledFrom([]string{",", " ,\n "}).Draw(t, "comma"))
			}
			if rapid.Bool().Draw(t, "object") {
				doc.WriteString("{" + str.Draw(t, "key") + ":" + scalar.Draw(t, "value") + "}")
			} else {
				doc.WriteString(scalar.Draw(t, "item"))
			}
		}
		doc.WriteString("]")
		in := []byte(doc.String())
		if !json.Valid(in) {
			t.Fatalf("the test made bad JSON: %s", in)
		}
		kept, places := m.Mask(in)
		if !json.Valid(kept) {
			t.Fatalf("%s\nbecame invalid: %s", in, kept)
		}
		if places == 0 && !bytes.Equal(in, kept) {
			t.Fatalf("changed without a place: %s", kept)
		}
		checkGone(t, kept, []string{value})
		if loneSurrogate(kept) && !loneSurrogate(in) {
			t.Fatalf("%s\na pair was cut: %s", in, kept)
		}
	})
}

// loneSurrogate tells whether JSON text, once read, lost a character to an escape
// that is half a pair.
func loneSurrogate(doc []byte) bool {
	var v any
	if json.Unmarshal(doc, &v) != nil {
		return true
	}
	return strings.Contains(fmt.Sprint(v), "\ufffd")
}

func TestMaskWithoutSecrets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.StringMatching(`[A-Z]{8,20}`).Draw(t, "secret")
		text := []byte(rapid.StringOfN(rapid.SampledFrom(alphabet), 1, 200, -1).Draw(t, "text"))
		kept, places := secrets.NewMasker([]secrets.Known{{Name: "A", Value: value}}).Mask(text)
		if places != 0 || len(kept) != len(text) || &kept[0] != &text[0] {
			t.Fatalf("text without secrets came back changed: %q", kept)
		}
	})
}

func TestMaskShort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.StringMatching(`[a-zA-Z]{2,7}`).Draw(t, "secret")
		m := secrets.NewMasker([]secrets.Known{{Name: "A", Value: value}})
		other := rapid.StringMatching(`[0-9 ]{1,5}`)
		inside, _ := json.Marshal([]string{other.Draw(t, "x") + value, value + other.Draw(t, "y")})
		if kept, n := m.Mask(inside); n != 0 {
			t.Fatalf("inside a longer value: %s", kept)
		}
		whole, _ := json.Marshal(map[string]any{"k": value, "l": []string{value}})
		kept, n := m.Mask(whole)
		if n != 2 || string(kept) != `{"k":"«secret:A»","l":["«secret:A»"]}` {
			t.Fatalf("as a whole value: %s, %d", kept, n)
		}
	})
}

func FuzzMask(f *testing.F) {
	f.Add("abcdefgh", `{"a":"\u0061bcdefgh"}`)
	f.Add("1234", `[1234,"1234"]`)
	f.Add(`\\\\\\\\`, `"\\\\\\\\\\\\\\\\"`)
	f.Fuzz(func(t *testing.T, secret, text string) {
		kept, places := secrets.NewMasker([]secrets.Known{{Name: "A", Value: secret}}).Mask([]byte(text))
		if json.Valid([]byte(text)) && !json.Valid(kept) {
			t.Errorf("%q became invalid: %q", text, kept)
		}
		if places == 0 && string(kept) != text {
			t.Errorf("changed without a place")
		}
		if len(secret) >= 8 && strings.Contains(string(kept), secret) {
			t.Errorf("%q is left in %q", secret, kept)
		}
	})
}

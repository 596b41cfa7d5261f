package secrets_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"countersign/app/secrets"
)

const token = `s3cr"et/Ü+ w\ord%41`

func one(value string) *secrets.Masker {
	return secrets.NewMasker([]secrets.Known{{Server: "s", Name: "TOKEN", Value: value}})
}

func TestMask(t *testing.T) {
	const mark = "«secret:TOKEN»"
	escaped := func(s string) string { b, _ := json.Marshal(s); return string(b[1 : len(b)-1]) }
	allHex := func(s, format string) string {
		var b strings.Builder
		for i := range len(s) {
			b.WriteString(strings.NewReplacer("H", string("0123456789ABCDEF"[s[i]>>4]), "L", string("0123456789ABCDEF"[s[i]&15]),
				"h", string("0123456789abcdef"[s[i]>>4]), "l", string("0123456789abcdef"[s[i]&15])).Replace(format))
		}
		return b.String()
	}
	std, raw := base64.StdEncoding.EncodeToString, base64.RawURLEncoding.EncodeToString
	tests := []struct {
		name, secret, in, want string
		places                 int
	}{
		{"nothing there", token, `{"a":"b"}`, `{"a":"b"}`, 0},
		{"plain in text", "abcdefgh", "x abcdefgh y abcdefgh", "x " + mark + " y " + mark, 2},
		{"whole text", "abcdefgh", "abcdefgh", mark, 1},
		{"JSON string", token, `{"a":"x` + escaped(token) + `y"}`, `{"a":"x` + mark + `y"}`, 1},
		{"JSON key", "abcdefgh", `{"abcdefgh":1}`, `{"` + mark + `":1}`, 1},
		{"JSON in a JSON string", token, `{"a":"` + escaped(`{"b":"`+escaped(token)+`"}`) + `"}`, `{"a":"{\"b\":\"` + mark + `\"}"}`, 1},
		{"escaped slash", "ab/cd/ef/gh", `"ab\/cd/ef\/gh"`, `"` + mark + `"`, 1},
		{"all \\u00XX, lower hex", "pass?WORD/1", `"` + allHex("pass?WORD/1", `\u00hl`) + `"`, `"` + mark + `"`, 1},
		{"all \\u00XX, upper hex", "pass?WORD/1", `"` + allHex("pass?WORD/1", `\u00HL`) + `"`, `"` + mark + `"`, 1},
		{"surrogate pair", "key-😀-key", `"key-\ud83D\uDE00-key"`, `"` + mark + `"`, 1},
		{"query escape", token, "u?t=" + url.QueryEscape(token) + "&z=1", "u?t=" + mark + "&z=1", 1},
		{"path escape", token, "u/" + url.PathEscape(token) + "/z", "u/" + mark + "/z", 1},
		{"percent, lower hex, all bytes", token, allHex(token, "%hl"), mark, 1},
		{"percent-encoded twice", token, url.QueryEscape(url.QueryEscape(token)), mark, 1},
		{"percent in JSON", token, `["` + escaped(url.QueryEscape(token)) + `"]`, `["` + mark + `"]`, 1},
		{"base64, shift 0", "abcdefghi", std([]byte("abcdefghi")), mark, 1},
		{"base64, shift 1", "abcdefgh", std([]byte("_abcdefgh")), "X2" + mark, 1},
		{"base64, shift 2", "abcdefg!", std([]byte("__abcdefg!??")), "X19" + mark + "T8/", 1},
		{"base64, URL alphabet", "a?>?>?>?>b", raw([]byte("a?>?>?>?>b")), mark + "g", 1},
		{"base64 in lines", "abcdefghijklmno", "YWJj\r\nZGVm\r\nZ2hpamtsbW5v", mark, 1},
		{"base64, slash escaped in JSON", "a?>?>?>?>bcd", `"` + strings.ReplaceAll(std([]byte("a?>?>?>?>bcd")), "/", `\/`) + `"`, `"` + mark + `"`, 1},
		{"number becomes a string", "12345678", `{"a":12345678,"b":[-912345678.5e3]}`, `{"a":"` + mark + `","b":["` + mark + `"]}`, 2},
		{"over structure", `ab","cd","ef`, `["ab","cd","ef"]`, `["` + mark + `","` + mark + `","` + mark + `"]`, 3},
		{"structure alone", `","","","`, `["","","",""]`, `"«secret»"`, 1},
		{"no escape is cut: short", "nabcdefgh", `"\nabcdefghi"`, `"` + mark + `i"`, 1},
		{"no escape is cut: unicode", "00e9abcd", `"x\u00e9abcde"`, `"x` + mark + `e"`, 1},
		{"no escape is cut: end", `abcdefgh\`, `"abcdefgh\"!"`, `"` + mark + `!"`, 1},
		{"no pair is cut", "uDE00abc", `"\uD83D\uDE00abc"`, `"` + mark + `"`, 1},
		{"spaces around the value", "  abcdefgh\n", `"abcdefgh"`, `"` + mark + `"`, 1},
		{"short: inside text stays", "1234", `{"a":"x1234","b":"1234 "}`, `{"a":"x1234","b":"1234 "}`, 0},
		{"short: key stays", "user", `{"user":"x"}`, `{"user":"x"}`, 0},
		{"short: whole string", "12/4", `{"a":"12\/4","b":["12/4"]}`, `{"a":"` + mark + `","b":["` + mark + `"]}`, 2},
		{"short: whole number", "1234", `{"a":1234,"b":12345,"c":"at 1234, or"}`, `{"a":"` + mark + `","b":12345,"c":"at 1234, or"}`, 1},
		{"short: whole text", "pin4", "pin4\n", mark + "\n", 1},
		{"short: whole text that is a JSON number", "1234", "1234\n", `"` + mark + "\"\n", 1},
		{"short: value of JSON in a string", "1234", `"{\"a\":\"1234\",\"1234\":1}"`, `"{\"a\":\"` + mark + `\",\"1234\":1}"`, 1},
		{"short: between strings", ",", `["a","b"]`, `["a","b"]`, 0},
		{"short: base64 value", "1234", `{"a":"MTIzNA=="}`, `{"a":"` + mark + `=="}`, 1},
		{"short: one byte", "7", `{"a":"7","b":"77","c":7}`, `{"a":"` + mark + `","b":"77","c":"` + mark + `"}`, 2},
		{"mark that holds the secret", "secret:T", `"secret:T"`, `"«secret»"`, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := []byte(tt.in)
			kept, places := one(tt.secret).Mask(in)
			if string(kept) != tt.want || places != tt.places {
				t.Errorf("Mask(%s)\n got %s, %d places\nwant %s, %d places", tt.in, kept, places, tt.want, tt.places)
			}
			if string(in) != tt.in {
				t.Error("the input was changed")
			}
			if json.Valid(in) && !json.Valid(kept) {
				t.Error("valid JSON became invalid")
			}
			if got := one(tt.secret).MaskString(tt.in); got != tt.want {
				t.Errorf("MaskString = %s", got)
			}
		})
	}
}

func TestMaskSeveral(t *testing.T) {
	m := secrets.NewMasker([]secrets.Known{
		{Name: "PART", Value: "abcdefgh"}, {Name: "WHOLE", Value: "xxabcdefghyy"},
		{Name: "TAIL", Value: "fghyyzzz"}, {Name: "SAME", Value: "abcdefgh"}, {Name: "EMPTY"},
		{Name: "odd \"name\"", Value: "qqqqqqqq"},
	})
	for _, tt := range []struct{ name, in, want string }{
		{"longest first", "-xxabcdefghyy-", "-«secret:WHOLE»-"},
		{"part alone, first name", "-abcdefgh-", "-«secret:PART»-"},
		{"overlapping", "-xxabcdefghyyzzz-", "-«secret:WHOLE»-"},
		{"side by side", "abcdefghqqqqqqqq", "«secret:PART»«secret:odd__name_»"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := m.MaskString(tt.in); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestMaskSameSlice(t *testing.T) {
	for _, m := range []*secrets.Masker{secrets.NewMasker(nil), one("abcdefgh"), one("1234")} {
		in := []byte(`{"text":"abcdefg","n":"12345"}`)
		kept, places := m.Mask(in)
		if places != 0 || &kept[0] != &in[0] || len(kept) != len(in) {
			t.Errorf("text without secrets came back as another slice, %d places", places)
		}
	}
}

func TestWeak(t *testing.T) {
	if !secrets.Weak("1234567") || secrets.Weak("12345678") {
		t.Error("the line between short and long is 8 bytes")
	}
}

func BenchmarkMask20MB(b *testing.B) {
	var known []secrets.Known
	for _, v := range []string{"ghp_16C7e42F292c6912E7710c838347Ae178B4a", "sk-proj-abcdefghijklmnop", `pa"ss w\rd/123`, "Zm9vYmFyYmF6", "1234"} {
		known = append(known, secrets.Known{Name: "N", Value: v})
	}
	m := secrets.NewMasker(known)
	prose := `{"content":[{"type":"text","text":"` + strings.Repeat(`The quick brown fox says \"hello\" to C:\\dir\n`, 1) + `"}]},`
	nested := strings.Repeat(`{\"a\":\"line\\nnext \\\"q\\\" \\u00e9\"},`, 4)
	binary := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{0x13, 0x9a, 0x5c, 0x77, 0xe0, 0x41, 0x08}, 300))
	for _, c := range []struct{ name, unit, extra string }{
		{"prose", prose, ""}, {"nested", nested, ""}, {"base64", binary, ""}, {"backslashes", `\\`, ""},
		{"percent", "%25", ""}, {"prose with secrets", prose, known[0].Value},
	} {
		b.Run(c.name, func(b *testing.B) {
			var doc bytes.Buffer
			doc.WriteByte('"')
			text := strings.Trim(strings.ReplaceAll(c.unit, `"`, `'`), `"`)
			for doc.Len() < 20<<20 {
				doc.WriteString(text)
				if doc.Len()%(1<<16) < len(text) {
					doc.WriteString(c.extra)
				}
			}
			doc.WriteByte('"')
			b.SetBytes(int64(doc.Len()))
			b.ReportAllocs()
			for b.Loop() {
				m.Mask(doc.Bytes())
			}
		})
	}
}

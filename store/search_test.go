package store_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"countersign/store"
)

// searched are the calls of the search tests, by id.
var searched = map[string]struct {
	call         store.Call
	args, result string
}{
	"weather": {store.Call{ServerName: "Weather Demo", Tool: "get_weather", ToolTitle: "Weather now"}, `{"city":"Köln","days":3}`, `{"content":[{"type":"text","text":"Rain\nin the \"old\" town\tuntil 17.5 o'clock"}]}`},
	"file":    {store.Call{ServerName: "Files", Tool: "read-file", ToolTitle: "Read"}, `{"path":"/home/anna/a-b_c.txt","win":"C:\\Users\\neu"}`, `{"content":[{"type":"text","text":"user.name = 9007199254740993; x=>y 100%"}]}`},
	"chinese": {store.Call{ServerName: "天气服务", Tool: "tianqi"}, `{"city":"\u5317\u4eac市"}`, `{"text":"今天天气晴朗 すし ไทย"}`},
	"failed":  {store.Call{ServerName: "Other", Tool: "boom", ErrorText: "connection REFUSED by upstream"}, `{}`, ""},
	"python":  {store.Call{ServerName: "Py", Tool: "dump"}, `{"name":"M\u00fcller-L\u00fcdenscheidt"}`, `{"text":"{\"inner\": \"Stra\\u00dfe \\ud83d\\ude00 ok\"}"}`},
	"image":   {store.Call{ServerName: "Img", Tool: "chart"}, `{"kind":"bar"}`, `{"data":"` + strings.Repeat("iVBORw0KGgoAAAANSUhEUg", 100) + `","after":"legend"}`},
	"binary":  {store.Call{ServerName: "Bin", Tool: "raw"}, "\xff\xfe\x00 broken \xc3", "\x00\x01needle\x02"},
}

func searchedStore(t testing.TB) *store.Store {
	t.Helper()
	s := mustOpen(t, tempPath(t))
	for _, id := range []string{"weather", "file", "chinese", "failed", "python", "image", "binary"} {
		d := searched[id]
		d.call.ID = id
		addCall(t, s, d.call, d.args, d.result)
	}
	return s
}

// find gives the ids that a text finds, newest first.
func find(t testing.TB, s *store.Store, f store.CallFilter) string {
	t.Helper()
	page, more, err := s.Calls(t.Context(), f)
	mustDo(t, err)
	n := must(s.CallCount(t.Context(), f))(t)
	if f.Before == 0 && (n < int64(len(page)) || !more && n != int64(len(page))) {
		t.Errorf("%q finds %d, and counts %d", f.Text, len(page), n)
	}
	var ids []string
	for _, c := range page {
		ids = append(ids, c.ID)
	}
	return strings.Join(ids, " ")
}

func TestSearch(t *testing.T) {
	all := "binary image python failed chinese file weather"
	cases := []struct{ text, want string }{
		{"", all}, {"  \t\n", all}, {"\x00\x01", all}, {"\xff", all}, {"\u0301", all},
		{"weather", "weather"}, {"WEATHER", "weather"}, {"weath", "weather"}, {"eather", ""},
		{"get_weather", "weather"}, {"get_wea", "weather"}, {"get weather", ""},
		{"köln", "weather"}, {"koln", "weather"}, {"KÖLN", "weather"}, {"ko\u0308ln", "weather"},
		{"rain in the old town", "weather"}, {"town rain", "weather"}, {"rain berlin", ""},
		{"rai town", ""}, {"town rai", "weather"},
		{`"old"`, "weather"}, {`"old" town`, "weather"}, {"17.5", "weather"}, {"o'clock", "weather"}, {"7.5", ""},
		{"read-file", "file"}, {"read-fi", "file"}, {"ad-file", ""},
		{"a-b_c", "file"}, {"a-b_c.txt", "file"}, {"a-b", "file"}, {"a_b", ""}, {"b_c", "file"}, {"/home/anna", "file"}, {"home/anna/", "file"}, {"anna", "file"},
		{`C:\Users\neu`, "file"}, {`users\neu`, "file"}, {"neu", "file"},
		{"user.name", "file"}, {"user.na", "file"}, {"9007199254740993", "file"}, {"9007199254740992", ""}, {"900719925474099", "file"},
		{"=>", "file"}, {"x=>y", "file"}, {"100%", "file"}, {"%", "file"}, {"100% user", "file"}, {"=> rain", ""},
		{"天气", "chinese"}, {"气晴", "chinese"}, {"北京", "chinese"}, {"北京市", "chinese"}, {"tianqi 天气", "chinese"}, {"天气 tianqi", "chinese"}, {"すし", "chinese"}, {"ไท", "chinese"},
		{"refused", "failed"}, {"connection refused", "failed"},
		{"müller", "python"}, {"Müller-Lüdenscheidt", "python"}, {"muller-lud", "python"}, {"straße", "python"}, {"😀", "python"}, {"inner ok", "python"}, {"u00fc", ""},
		{"legend", "image"}, {"iVBORw0KGgo", ""}, {"bar", "image"},
		{"needle", "binary"}, {"broken", "binary"},
	}
	s := searchedStore(t)
	try := func(state string) {
		t.Run(state, func(t *testing.T) {
			for _, c := range cases {
				if got := find(t, s, store.CallFilter{Text: c.text}); got != c.want {
					t.Errorf("%q finds %q, want %q", c.text, got, c.want)
				}
			}
		})
	}
	try("read, before the index knows them")
	indexAll(t, s)
	try("by the index")
	// One changes and is not indexed again yet; the text stays.
	must(s.UpdateCall(t.Context(), "file", func(c *store.Call) ([]store.NewEvent, []store.Payload, error) {
		c.ErrorText = "and more"
		return nil, nil, nil
	}))(t)
	try("one changed")
	if got := find(t, s, store.CallFilter{Text: "and more"}); got != "file" {
		t.Errorf("the change is found in %q", got)
	}
	indexAll(t, s)
	if got := find(t, s, store.CallFilter{Text: "and more"}); got != "file" {
		t.Errorf("the indexed change is found in %q", got)
	}
}

// hostile are texts that the language of the word index would trip over.
var hostile = []string{
	`"`, `""`, `"""`, `'`, `*`, `**`, `a*`, `*a`, `^a`, `-a`, `+`, `a + b`, `(`, `)`, `((a)`, `a)`, `{a b}`, `{`, `:`, `text:a`, `rowid:1`, `a:`, `-text:a`,
	`AND`, `OR`, `NOT`, `NEAR`, `a AND`, `AND a`, `a OR b`, `NOT a`, `a NOT b`, `NEAR(a b)`, `NEAR(a b, 5)`, `NEAR(`, `a NEAR/2 b`, `"a" "b`, `a"b`, `"a"b"`,
	`\`, `\"`, `%`, `_`, `%_%`, `?`, `?1`, `@a`, `$a`, `:a`, `;`, `--`, `/*`, `'; DROP TABLE calls; --`, `x'00'`, "\x00", "a\x00b", "\"\x00", "\u2028", "\ufeff", "\u200b", "\ud7ff", "\xff\xfe", "a\xc3",
	"\U0001E900", "é", "e\u0301", "\u0301", "ﬁ", "İ", "ß", "Ω", "１２", "①", "👩‍👩‍👧", "\ue000", "\U000f0000", "한국어", "हिन्दी", "العربية", "עברית",
	strings.Repeat("a", 5000), strings.Repeat("a ", 5000), strings.Repeat(`"`, 5000), strings.Repeat("(", 5000), strings.Repeat("天", 5000), strings.Repeat("a-b ", 300), strings.Repeat("NOT ", 300),
}

func TestHostileTexts(t *testing.T) {
	s := searchedStore(t)
	// Each text must find the call that has it, too, where something can be
	// looked for; the long ones are cut.
	for i, text := range hostile {
		addCall(t, s, store.Call{ID: fmt.Sprint("h", i), ServerName: "H", ErrorText: strings.ToValidUTF8(text, " ")}, `{}`, ``)
	}
	try := func() {
		for i, text := range hostile {
			got := " " + find(t, s, store.CallFilter{Text: text, Limit: 1000}) + " "
			if len(text) < 1000 && utf8.ValidString(text) && !strings.Contains(got, fmt.Sprintf(" h%d ", i)) {
				t.Errorf("%q finds %s", text, got)
			}
		}
	}
	try()
	indexAll(t, s)
	try()
}

func FuzzSearch(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	s := searchedStore(f)
	indexAll(f, s)
	f.Fuzz(func(t *testing.T, text string) {
		if _, _, err := s.Calls(t.Context(), store.CallFilter{Text: text}); err != nil {
			t.Error(err)
		}
	})
}

// TestIndexAgreesWithReading makes calls of any text, and compares what any
// text finds before and after the index knows them.
func TestIndexAgreesWithReading(t *testing.T) {
	word := rapid.SampledFrom([]string{"alpha", "Álpha", "alph", "beta", "b_c", "a-b", "b.c", "天气", "天", "x天", "12", "1.2", `\"`, `\n`, `\u00e1lpha`, `\\`, "=>", "don't", "e\u0301"})
	words := rapid.SliceOfN(word, 1, 5)
	rapid.Check(t, func(r *rapid.T) {
		s, err := store.Open(t.Context(), store.Options{Path: tempPath(t)})
		if err != nil {
			r.Fatal(err)
		}
		defer func() { _ = s.Close() }()
		for i := range 8 {
			text := strings.Join(words.Draw(r, "text"), rapid.SampledFrom([]string{" ", "/", `\n`}).Draw(r, "between"))
			addCall(t, s, store.Call{ID: fmt.Sprint(i), State: states[i%4]}, `{"t":"`+text+`"}`, ``)
		}
		var fs []store.CallFilter
		for range 10 {
			fs = append(fs, store.CallFilter{Text: strings.Join(words.Draw(r, "query"), " "), Limit: rapid.IntRange(1, 9).Draw(r, "limit"),
				Before: rapid.Int64Range(0, 9).Draw(r, "before"), States: rapid.SliceOfN(rapid.SampledFrom(states), 0, 2).Draw(r, "states")})
		}
		var before []string
		for _, f := range fs {
			before = append(before, find(t, s, f))
		}
		indexAll(t, s)
		for i, f := range fs {
			if got := find(t, s, f); got != before[i] {
				r.Fatalf("%+v found %q, and by the index %q", f, before[i], got)
			}
		}
	})
}

func TestSearchPagesAndFilters(t *testing.T) {
	s := mustOpen(t, tempPath(t))
	const n = 120
	for i := range n {
		addCall(t, s, store.Call{ID: fmt.Sprint(i), ServerID: fmt.Sprint("s", i%2), Tool: fmt.Sprint("t", i%3), State: states[i%4]}, fmt.Sprintf(`{"text":"common word%d a-b"}`, i%10), ``)
		if i == 79 { // the rest waits for the index
			indexAll(t, s)
		}
	}
	for _, text := range []string{"common", "a-b", "common a-b word3", "=> ", "-b"} {
		for _, f := range []store.CallFilter{{}, {ServerID: "s1"}, {Tool: "t2"}, {States: states[:2]}, {ServerID: "s1", Tool: "t1", States: states[1:]}} {
			f.Text, f.Limit = text, n
			all := strings.Fields(find(t, s, f))
			f.Limit = 7
			paged := []string{}
			for {
				page, more, err := s.Calls(t.Context(), f)
				mustDo(t, err)
				for _, c := range page {
					paged, f.Before = append(paged, c.ID), c.Ordinal
				}
				if !more {
					break
				}
			}
			same(t, fmt.Sprintf("%+v", f), paged, all)
			if strings.HasPrefix(text, "common") && len(all) == 0 || text == "=> " && len(all) != 0 {
				t.Errorf("%+v finds %d", f, len(all))
			}
		}
	}
}

func TestOnlyTheFirstMiBIsSearched(t *testing.T) {
	s := mustOpen(t, tempPath(t))
	long := strings.Repeat("word ", store.PartSize/5-10) + "inside " + strings.Repeat("word ", 20) + "beyond"
	addCall(t, s, store.Call{ID: "a"}, `{}`, long)
	for range 2 {
		if got := find(t, s, store.CallFilter{Text: "inside"}); got != "a" {
			t.Errorf("inside is found in %q", got)
		}
		if got := find(t, s, store.CallFilter{Text: "beyond"}); got != "" {
			t.Errorf("beyond is found in %q", got)
		}
		indexAll(t, s)
	}
}

func TestIndexPendingCounts(t *testing.T) {
	s := mustOpen(t, tempPath(t))
	for i := range store.IndexBatch + 20 {
		addCall(t, s, store.Call{ID: fmt.Sprint(i)}, `{}`, ``)
	}
	for _, want := range []int{20, 0, 0} {
		if left := must(s.IndexPending(t.Context()))(t); left != want {
			t.Errorf("%d are left, want %d", left, want)
		}
	}
	// Moves that change no text do not send a call back to the index.
	must(s.UpdateCall(t.Context(), "1", func(c *store.Call) ([]store.NewEvent, []store.Payload, error) {
		c.State = "other"
		return nil, nil, nil
	}))(t)
	writer, _ := s.Handles()
	if n := one[int](t, writer, `SELECT count(*) FROM calls WHERE indexed = 0`); n != 0 {
		t.Errorf("%d calls wait for the index", n)
	}
}

func TestSearchWalksTheWordIndex(t *testing.T) {
	s := searchedStore(t)
	_, reader := s.Handles()
	for _, f := range []store.CallFilter{{Text: "a"}, {Text: "a-b"}, {Text: "a", ServerID: "s", States: states}} {
		queries, args := store.SearchQueries(f)
		if len(queries) != 2 {
			t.Fatalf("%d queries", len(queries))
		}
		for i, q := range queries {
			if plan := planOf(t, reader, q, args[i]); strings.Contains(plan, "TEMP B-TREE") || !strings.HasPrefix(plan, []string{"SCAN call_search VIRTUAL TABLE", "SCAN calls USING INDEX calls_unindexed"}[i]) &&
				!strings.HasPrefix(plan, []string{"", "SEARCH calls USING INDEX calls_unindexed"}[i]) {
				t.Errorf("%+v: %s", f, plan)
			}
		}
	}
}

func TestPlain(t *testing.T) {
	run := strings.Repeat("QUJD", 128)
	for src, want := range map[string]string{
		`a\nb`: "a b", `a\\nb`: `a\nb`, `a\\\nb`: `a\ b`, `\"x\"`: `"x"`, `\/`: "/", `\`: `\`, `a\\`: `a\\`,
		`\u00e4`: "ä", `\u00E4x`: "äx", `\\u00e4`: "ä", `\u00e`: "u00e", `\uzzzz`: "uzzzz", `\ud83d\ude00`: "😀", `\\ud83d\\ude00`: "😀",
		`\ud83d`: " ", `\ud83dx`: " x", `\ude00\ud83d`: "  ", `\ud83d\u0041`: " A", `\u0000`: " ", `\u`: "u",
		run: " ", `"` + run + `"`: `" "`, "a " + run + "=": "a  ", run[1:] + ".": run[1:] + ".", run + `\n` + "x": "  x",
	} {
		if got := store.Plain(src); got != want {
			t.Errorf("%.40s becomes %.40q, want %.40q", src, got, want)
		}
	}
}

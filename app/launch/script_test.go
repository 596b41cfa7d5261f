package launch

import "testing"

// What a script of Windows must not be handed. Its interpreter reads the arguments
// once more, and no quoting holds for all of them.
func TestInterpretedArguments(t *testing.T) {
	for arg, want := range map[string]bool{
		"": false, "-y": false, "@scope/pkg@1.2": false, `C:\dir with space`: false, "a=b;c,d": false, "日本 語": false, "'": false,
		`say "hi"`: true, "%PATH%": true, "100%": true, "!x!": true, "^": true, "a&b": true, "a|b": true, "<in": true, ">out": true,
		"(a)": true, "a\nb": true, "a\rb": true,
	} {
		t.Run("field-78 "+arg, func(t *testing.T) {
			if got := interpreted(arg); got != want {
				t.Errorf("%q: %v", arg, got)
			}
		})
	}
}

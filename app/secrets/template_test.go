package secrets_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"countersign/app/secrets"
)

func TestExpand(t *testing.T) {
	get := func(name string) (string, error) {
		if name == "GONE" {
			return "", secrets.ErrNotFound
		}
		return "<" + name + "${secret:X}>", nil // a value is not expanded again
	}
	tests := []struct {
		name, text, want string
		refs             []string
		bad              bool
	}{
		{"plain", "no reference", "no reference", nil, false},
		{"empty", "", "", nil, false},
		{"one", "a ${secret:K} b", "a <K${secret:X}> b", []string{"K"}, false},
		{"several, each named once", "${secret:B}${secret:a.b-c_1}${secret:B}", "<B${secret:X}><a.b-c_1${secret:X}><B${secret:X}>", []string{"B", "a.b-c_1"}, false},
		{"escaped", "$${secret:K} $${HOME}", "${secret:K} ${HOME}", nil, false},
		{"dollar before an escape", "$$${secret:K}", "$${secret:K}", nil, false},
		{"other programs' references stay", "${HOME} $HOME ${env:X} $", "${HOME} $HOME ${env:X} $", nil, false},
		{"no name", "${secret:}", "", nil, true},
		{"bad name", "${secret:a b}", "", nil, true},
		{"long name", "${secret:" + strings.Repeat("n", 65) + "}", "", nil, true},
		{"not closed", "x ${secret:K", "", nil, true},
		{"beyond ASCII", "ü${secret:K}ü", "ü<K${secret:X}>ü", []string{"K"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := secrets.Expand(tt.text, get)
			if (err != nil) != tt.bad || got != tt.want {
				t.Errorf("Expand: %q, %v", got, err)
			}
			if refs := secrets.Refs(tt.text); !slices.Equal(refs, tt.refs) {
				t.Errorf("Refs: %q", refs)
			}
			if err := secrets.CheckTemplate(tt.text); (err != nil) != tt.bad {
				t.Errorf("CheckTemplate: %v", err)
			}
		})
	}
	if _, err := secrets.Expand("${secret:GONE}", get); !errors.Is(err, secrets.ErrNotFound) || !strings.Contains(err.Error(), "GONE") {
		t.Errorf("a secret that is not there: %v", err)
	}
	if got := secrets.Display("Bearer ${secret:K} $${x}"); got != "Bearer «secret:K» ${x}" {
		t.Errorf("Display: %q", got)
	}
}

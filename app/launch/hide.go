package launch

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"countersign/app/secrets"
)

// scheme is what stands before the secret in a header such as Authorization.
var scheme = regexp.MustCompile(`(?i)^(bearer|basic|token|apikey)\s+`)

var notInSecretName = regexp.MustCompile(`[^A-Za-z0-9_.-]+`)

// HideSecrets moves values that are written out under names of secrets (an
// Authorization header, API_TOKEN in the environment, ?key= in an address) out
// of the settings. It returns the settings with references in their place,
// and the values to be stored, by name.
func HideSecrets(s Settings) (Settings, map[string]string) {
	h := &hider{values: map[string]string{}}
	s.Env = h.vars(s.Env, func(name string) bool { return secretName.MatchString(name) })
	s.Headers = h.vars(s.Headers, func(name string) bool { return credentialHeader(name) || secretName.MatchString(name) })
	s.URL = h.address(s.URL)
	return s, h.values
}

type hider struct{ values map[string]string }

// put stores a value under a free name and gives the reference to it.
func (h *hider) put(name, value string) string {
	base := strings.ToUpper(notInSecretName.ReplaceAllString(name, "_"))
	base = base[:min(len(base), 56)]
	free := base
	for i := 2; h.values[free] != "" && h.values[free] != value; i++ {
		free = fmt.Sprintf("%s_%d", base, i)
	}
	h.values[free] = value
	return "${secret:" + free + "}"
}

// writtenOut tells values that are no reference of any kind.
func writtenOut(value string) bool {
	return strings.TrimSpace(value) != "" && len(secrets.Refs(value)) == 0 && bareReference(value) == ""
}

func (h *hider) vars(vars []Var, secret func(name string) bool) []Var {
	var out []Var
	for _, v := range vars {
		if secret(v.Name) && writtenOut(v.Value) {
			prefix := scheme.FindString(v.Value)
			v.Value = prefix + h.put(v.Name, strings.ReplaceAll(v.Value[len(prefix):], "$${", "${"))
		}
		out = append(out, v)
	}
	return out
}

// address hides values in the query of an address. They are stored decoded,
// since a reference in an address is encoded when it is filled in.
func (h *hider) address(text string) string {
	head, query, ok := strings.Cut(text, "?")
	if !ok {
		return text
	}
	query, fragment, hasFragment := strings.Cut(query, "#")
	parts := strings.Split(query, "&")
	for i, part := range parts {
		name, value, _ := strings.Cut(part, "=")
		if !secretName.MatchString(name) && !strings.EqualFold(name, "key") || !writtenOut(value) {
			continue
		}
		if plain, err := url.PathUnescape(value); err == nil {
			parts[i] = name + "=" + h.put(name, plain)
		}
	}
	text = head + "?" + strings.Join(parts, "&")
	if hasFragment {
		text += "#" + fragment
	}
	return text
}

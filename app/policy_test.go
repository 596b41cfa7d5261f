package app_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"countersign/app"
)

// TestPagePolicy: the page runs its own scripts and nothing else.
func TestPagePolicy(t *testing.T) {
	t.Run("SEC-10 the page comes with a policy that names only itself", func(t *testing.T) {
		page := fstest.MapFS{"index.html": {Data: []byte("<!doctype html><html><head><title>x</title></head></html>")}}
		res := httptest.NewRecorder()
		app.New(app.Options{DataDir: t.TempDir()}).Middleware(page)(http.NotFoundHandler()).ServeHTTP(res, httptest.NewRequest(http.MethodGet, "/", nil))
		policy := res.Header().Get("Content-Security-Policy")
		if policy != app.PagePolicy || !strings.Contains(res.Body.String(), `http-equiv="Content-Security-Policy"`) {
			t.Fatalf("the policy is %q", policy)
		}
		rules := map[string]string{}
		for rule := range strings.SplitSeq(policy, ";") {
			name, value, _ := strings.Cut(strings.TrimSpace(rule), " ")
			rules[name] = value
		}
		for name, want := range map[string]string{"default-src": "'none'", "script-src": "'self'", "connect-src": "'self'", "form-action": "'none'",
			"base-uri": "'none'", "require-trusted-types-for": "'script'", "frame-src": "", "object-src": ""} {
			if rules[name] != want {
				t.Errorf("%s is %q, want %q", name, rules[name], want)
			}
		}
	})
}

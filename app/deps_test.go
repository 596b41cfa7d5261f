package app_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// imports reads what each package of the module imports, test files left out,
// whatever the build tags.
func imports(t *testing.T) map[string]map[string]bool {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]map[string]bool{}
	err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			switch d.Name() {
			case "node_modules", "testdata", ".git", "dist", "bin", "tools":
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(p))
		if err != nil {
			return err
		}
		pkg := path.Join("countersign", filepath.ToSlash(dir))
		if out[pkg] == nil {
			out[pkg] = map[string]bool{}
		}
		for _, spec := range file.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			out[pkg][name] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// reach is everything that a package imports, directly or through packages of
// the module.
func reach(all map[string]map[string]bool, pkg string, seen map[string]bool) map[string]bool {
	for name := range all[pkg] {
		if !seen[name] {
			seen[name] = true
			reach(all, name, seen)
		}
	}
	return seen
}

func under(pkg string, trees ...string) bool {
	for _, tree := range trees {
		if pkg == tree || strings.HasPrefix(pkg, tree+"/") {
			return true
		}
	}
	return false
}

// TestImportRule holds the directions of design.md: who may know whom.
func TestImportRule(t *testing.T) {
	const wails, driver, keyring, sdk = "github.com/wailsapp/wails", "github.com/mattn/go-sqlite3", "github.com/zalando/go-keyring", "github.com/modelcontextprotocol/go-sdk"
	all := imports(t)
	for _, want := range []string{"countersign", "countersign/app", "countersign/app/approval", "countersign/mcpclient", "countersign/store"} {
		if all[want] == nil {
			t.Fatalf("package %s was not found: the rule would hold for nothing", want)
		}
	}
	rules := []struct {
		why   string
		of    func(pkg string) bool
		never func(name string) bool
	}{
		{"the protocol engine knows neither the program nor the database nor the window",
			func(p string) bool { return under(p, "countersign/mcpclient") },
			func(n string) bool { return under(n, "countersign/app", "countersign/store", wails, driver) }},
		{"the store knows neither the program nor the protocol nor the window",
			func(p string) bool { return under(p, "countersign/store") },
			func(n string) bool { return under(n, "countersign/app", "countersign/mcpclient", wails) }},
		{"the decision is pure, and so is reading JSON and JSON-RPC: only the standard library, and the one that reads JSON",
			func(p string) bool {
				return under(p, "countersign/app/approval", "countersign/app/rawjson", "countersign/app/jsondiff", "countersign/mcpclient/jsonrpc")
			},
			func(n string) bool {
				return strings.Contains(strings.SplitN(n, "/", 2)[0], ".") || under(n, "countersign") && n != "countersign/app/rawjson"
			}},
		{"no part of the program imports the whole of it, but the test rig",
			func(p string) bool {
				return under(p, "countersign/app") && p != "countersign/app" && p != "countersign/app/apptest"
			},
			func(n string) bool { return n == "countersign/app" }},
		{"only the whole program knows the window",
			func(p string) bool {
				return p != "countersign" && p != "countersign/app" && p != "countersign/app/apptest" && !under(p, "countersign/build")
			},
			func(n string) bool { return under(n, wails) }},
		{"nothing that ships imports a test package",
			func(p string) bool {
				return p != "countersign/app/apptest" && p != "countersign/store/storetest" && !under(p, "countersign/build")
			},
			func(n string) bool {
				return n == "countersign/app/apptest" || n == "countersign/store/storetest" || n == "testing" || under(n, sdk)
			}},
	}
	for pkg := range all {
		for _, r := range rules {
			if !r.of(pkg) {
				continue
			}
			for name := range reach(all, pkg, map[string]bool{}) {
				if r.never(name) && name != pkg {
					t.Errorf("%s reaches %s, but %s", pkg, name, r.why)
				}
			}
		}
		if all[pkg][driver] && pkg != "countersign/store" {
			t.Errorf("%s imports the SQLite driver: only the store may", pkg)
		}
		if all[pkg][keyring] && pkg != "countersign/app/secrets" {
			t.Errorf("%s imports the keyring: only app/secrets may", pkg)
		}
	}
	if _, err := os.Stat("../go.mod"); err != nil {
		t.Fatal("the walk did not start at the module's root")
	}
}

# Countersign. `make help` lists what there is to say.
#
# Everything made stands under build/bin, build/tools, frontend/dist and the two
# node_modules folders, and is made again only when what it comes from changed.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.NOTPARALLEL:
.DEFAULT_GOAL := help

# --- names and pins -----------------------------------------------------------

VERSION := $(shell sed -n 's/.*"productVersion": *"\([^"]*\)".*/\1/p' wails.json)
ARCH    := $(shell dpkg --print-architecture 2>/dev/null || uname -m)

STATICCHECK_VERSION := v0.8.2
NFPM_VERSION        := v2.48.0

TAGS         := sqlite_fts5
RELEASE_TAGS := desktop,production,webkit2_41,$(TAGS)
DEV_TAGS     := dev,webkit2_41,$(TAGS)

BIN        := build/bin
TOOLS      := build/tools
PROGRAM    := $(BIN)/countersign
DEV        := $(BIN)/countersign-dev
FRAMECHECK := $(BIN)/framecheck
DEB        := $(BIN)/countersign_$(VERSION)_$(ARCH).deb

# What the tests of a run reported.
REPORTS := $(BIN)/results/reports

# What the person adds to `make run`, for example ARGS="--data-dir /tmp/try".
ARGS ?=

GO_BUILD := go build -trimpath -buildvcs=false
LDFLAGS  := -s -w -X main.version=$(VERSION)

# npm leaves a lock file of what it installed; it serves as the stamp.
PAGE_NPM    := frontend/node_modules/.package-lock.json
SERVERS_NPM := build/test-servers/node_modules/.package-lock.json
PAGE        := frontend/dist/index.html
NPM_CI      := npm ci --no-audit --no-fund --loglevel=error

# --- sources ------------------------------------------------------------------

GO_FILES := go.mod go.sum build/appicon.png $(wildcard *.go) \
	$(shell find app mcpclient store -type f ! -name '*_test.go' ! -path '*/testdata/*' 2>/dev/null)
PAGE_FILES := $(wildcard frontend/*.html frontend/*.json frontend/*.ts frontend/*.js frontend/*.mjs frontend/*.cjs) \
	$(shell find frontend/src frontend/public frontend/wailsjs -type f ! -name '*.test.*' 2>/dev/null)
GO_PACKAGES = $(shell go list -buildvcs=false -tags $(TAGS) ./... | grep -v /node_modules/)

# --- what a person says ---------------------------------------------------------

.PHONY: help run build dev check test conformance ledger field-reports bench fuzz soak e2e smoke screenshots package bindings clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: setup-run $(PROGRAM) ## set up, build, open the window
	@exec build/linux/run.sh $(PROGRAM) $(ARGS)

build: $(PROGRAM) ## the release program, build/bin/countersign

dev: setup-run $(DEV) ## the window, the page rebuilt and reloaded on every change
	@exec build/linux/dev.sh $(DEV) $(ARGS)

check: check-go check-imports check-page check-bindings check-package ## formatting, vet, linters, types, import rule, bindings

test: ## set up, then everything that must hold; ends with the counts
	@MAKE="$(MAKE)" exec build/test.sh

fuzz: ## every fuzz target for FUZZTIME each (10m); ONLY=Name picks
	@TAGS=$(TAGS) FUZZTIME=$(FUZZTIME) ONLY='$(ONLY)' exec build/fuzz.sh

soak: $(PAGE) $(SERVERS_NPM) ## the Go tests in their long forms: more starts, floods and bytes
	@COUNTERSIGN_SOAK=1 go test -count 1 -timeout 60m -tags $(TAGS) $(GO_PACKAGES)

e2e: setup-test $(DEV) $(PAGE_NPM) ## the page in Chromium against the real back end
	@exec build/e2e.sh $(ONLY)

smoke: setup-test $(DEB) $(FRAMECHECK) ## the packaged program in a real window
	@build/smoke/smoke.sh $(DEB) $(FRAMECHECK)

conformance: $(SERVERS_NPM) ## the official suite against mcpclient, both eras
	@mkdir -p $(BIN)
	@$(GO_BUILD) -o $(BIN)/conformance-driver ./build/conformance/driver
	@node build/conformance/run.mjs $(BIN)/conformance-driver

ledger: test-go test-page ## which rows of docs/requirements.md the tests show (ARGS=-w notes where)
	@go run ./build/ledger $(ARGS) docs/requirements.md $(REPORTS)/go.jsonl $(REPORTS)/page.json

field-reports: test-go test-page ## which rows of docs/field-reports.md the tests show
	@go run ./build/fieldreports docs/field-reports.md $(REPORTS)/go.jsonl $(REPORTS)/page.json

bench: ## mcpclient against the bare bytes and the official SDK, as ratios
	@mkdir -p $(BIN)
	@$(GO_BUILD) -o $(BIN)/bench ./build/bench
	@$(BIN)/bench $(ARGS)

screenshots: setup-test $(PROGRAM) ## the pictures of the README, made anew from the real window
	@build/smoke/screenshots.sh $(PROGRAM) docs/screenshots

package: $(DEB) ## the .deb

bindings: $(PAGE) ## the page's view of the bound methods, made anew from the Go code
	@build/bindings.sh --write

clean: ## remove what was built
	rm -rf $(BIN) frontend/dist/assets frontend/dist/index.html

# --- set-up ---------------------------------------------------------------------

.PHONY: setup-run setup-test

setup-run:
	@build/linux/setup.sh run

setup-test:
	@build/linux/setup.sh test

$(PAGE_NPM): frontend/package-lock.json
	@echo "Installing the page's npm packages"
	@cd frontend && $(NPM_CI)
	@touch $@

$(SERVERS_NPM): build/test-servers/package-lock.json
	@echo "Installing the MCP servers and the conformance suite that the tests talk to"
	@cd build/test-servers && $(NPM_CI)
	@touch $@

$(TOOLS)/staticcheck-$(STATICCHECK_VERSION):
	@echo "Installing staticcheck $(STATICCHECK_VERSION)"
	@GOBIN=$(CURDIR)/$(TOOLS) go install honnef.co/go/tools/cmd/staticcheck@$(STATICCHECK_VERSION)
	@touch $@

$(TOOLS)/nfpm-$(NFPM_VERSION):
	@echo "Installing nfpm $(NFPM_VERSION)"
	@GOBIN=$(CURDIR)/$(TOOLS) go install github.com/goreleaser/nfpm/v2/cmd/nfpm@$(NFPM_VERSION)
	@touch $@

# --- building -------------------------------------------------------------------

$(PAGE): $(PAGE_NPM) $(PAGE_FILES)
	@echo "Building the page"
	@cd frontend && node_modules/.bin/vite build --logLevel warn
	@touch frontend/dist/.keep $@

$(PROGRAM): $(GO_FILES) $(PAGE) Makefile wails.json
	@echo "Building $@ $(VERSION)"
	@mkdir -p $(BIN)
	@$(GO_BUILD) -tags $(RELEASE_TAGS) -ldflags '$(LDFLAGS)' -o $@ .

# The development build serves the page to a browser too; tests drive it there.
$(DEV): $(GO_FILES) $(PAGE) Makefile wails.json
	@echo "Building $@"
	@mkdir -p $(BIN)
	@$(GO_BUILD) -tags $(DEV_TAGS) -ldflags '-X main.version=$(VERSION)' -o $@ .

# The program with a weakened page, for one test; never packed.
$(FRAMECHECK): $(GO_FILES) $(wildcard build/smoke/framecheck/*) $(PAGE) Makefile
	@echo "Building $@"
	@mkdir -p $(BIN)
	@$(GO_BUILD) -tags $(RELEASE_TAGS) -o $@ ./build/smoke/framecheck

$(DEB): $(PROGRAM) $(TOOLS)/nfpm-$(NFPM_VERSION) $(wildcard build/package/* build/package/icons/*)
	@echo "Packing $@"
	@VERSION=$(VERSION) ARCH=$(ARCH) $(TOOLS)/nfpm package --config build/package/nfpm.yaml --packager deb --target $@ >/dev/null

# --- checks ---------------------------------------------------------------------

.PHONY: check-go check-imports check-page check-bindings check-package

check-go: $(PAGE) $(TOOLS)/staticcheck-$(STATICCHECK_VERSION)
	@echo "gofmt"
	@unformatted=$$(git ls-files -co --exclude-standard -- '*.go' | xargs -r gofmt -l); \
		[ -z "$$unformatted" ] || { echo "not formatted (gofmt -w):" >&2; echo "$$unformatted" >&2; exit 1; }
	@echo "go vet"
	@go vet -tags $(TAGS) $(GO_PACKAGES)
	@go vet -tags $(RELEASE_TAGS) . ./app
	@echo "staticcheck"
	@$(TOOLS)/staticcheck -tags $(TAGS) $(GO_PACKAGES)
	@$(TOOLS)/staticcheck -tags $(RELEASE_TAGS) . ./app

check-imports: $(PAGE)
	@echo "import rule"
	@mkdir -p $(BIN)
	@go test -tags $(TAGS) -run '^TestImportRule$$' -v ./app >$(BIN)/imports.log 2>&1 && grep -q '^--- PASS: TestImportRule' $(BIN)/imports.log || \
		{ cat $(BIN)/imports.log >&2; exit 1; }

check-page: $(PAGE_NPM)
	@echo "tsc"
	@cd frontend && node_modules/.bin/tsc --noEmit
	@echo "eslint"
	@cd frontend && node_modules/.bin/eslint --max-warnings 0 .

check-bindings: $(PAGE)
	@echo "bindings unchanged"
	@build/bindings.sh

check-package:
	@echo "desktop entry and AppStream metadata"
	@build/package/validate.sh

# --- test stages (build/test.sh calls them in order) ------------------------------

.PHONY: test-deps test-go test-page

test-deps: setup-test $(PAGE_NPM) $(SERVERS_NPM) $(PAGE) $(TOOLS)/staticcheck-$(STATICCHECK_VERSION) $(TOOLS)/nfpm-$(NFPM_VERSION)

test-go: $(PAGE) $(SERVERS_NPM)
	@mkdir -p $(REPORTS)
	@go test -race -parallel 4 -timeout 10m -json -tags $(TAGS) $(GO_PACKAGES) | tee $(REPORTS)/go.jsonl | go run ./build/tally go $(BIN)/results/go.json

test-page: $(PAGE_NPM)
	@mkdir -p $(REPORTS)
	@cd frontend && node_modules/.bin/vitest run --reporter=default --reporter=json --outputFile.json=../$(REPORTS)/page.json

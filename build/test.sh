#!/usr/bin/env bash
# `make test`: the stages in order, each with a heading and the time it took. Stops
# at the first stage that fails. The last line says how many tests passed and failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

make=${MAKE:-make}
results=build/bin/results
SECONDS=0

minutes() {
	printf '%d:%02d' $(($1 / 60)) $(($1 % 60))
}

stage() {
	local name=$1 began=$SECONDS
	shift
	printf '\n== %s (%s since the start)\n' "$name" "$(minutes "$began")"
	if "$@"; then
		printf -- '-- %s: %s\n' "$name" "$(minutes $((SECONDS - began)))"
		return
	fi
	printf '\nThe stage "%s" failed after %s; what failed stands above.\n' "$name" "$(minutes $((SECONDS - began)))"
	go run ./build/tally sum --failed-stage "$name" "$results"/*.json
	exit 1
}

page_tests() {
	local code=0
	"$make" --no-print-directory test-page || code=$?
	go run ./build/tally vitest "$results/reports/page.json" "$results/page.json" && return "$code"
}

end_to_end() {
	local code=0
	"$make" --no-print-directory e2e || code=$?
	go run ./build/tally tap "$results/reports/e2e.tap" "$results/e2e.json" && return "$code"
}

smoke() {
	mkdir -p "$results/reports"
	local code=0
	"$make" --no-print-directory smoke | tee "$results/reports/smoke.txt" || code=$?
	go run ./build/tally lines "$results/reports/smoke.txt" "$results/smoke.json" && return "$code"
}

conformance() {
	local code=0
	"$make" --no-print-directory conformance | tee "$results/reports/conformance.txt" || code=$?
	go run ./build/tally lines "$results/reports/conformance.txt" "$results/conformance.json" && return "$code"
}

build/linux/setup.sh test # before Go is asked for anything
rm -rf "$results"
mkdir -p "$results/reports"

stage "set-up" "$make" --no-print-directory test-deps
stage "check" "$make" --no-print-directory check
stage "Go tests, with the race detector" "$make" --no-print-directory test-go
stage "page tests" page_tests
stage "the ledger of requirements" go run ./build/ledger docs/requirements.md "$results"/reports/{go.jsonl,page.json}
stage "field reports" go run ./build/fieldreports docs/field-reports.md "$results"/reports/{go.jsonl,page.json}
stage "the official conformance suite" conformance
stage "end to end: Chromium against the real back end" end_to_end
stage "smoke: the packaged program in a real window" smoke

printf '\nAll stages passed in %s.\n' "$(minutes "$SECONDS")"
go run ./build/tally sum "$results"/*.json

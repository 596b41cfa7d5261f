#!/usr/bin/env bash
# `make fuzz`: every fuzz target of the program for FUZZTIME (10m) each, or only
# those whose names ONLY matches. What a target finds stays under testdata/fuzz,
# where plain `go test` tries it again. The last line counts the executions.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

log=build/bin/fuzz.log
mkdir -p build/bin
targets=0 executions=0 failed=0
while IFS=: read -r file name; do
	package=./$(dirname "$file")
	printf '== %s %s\n' "$package" "$name"
	targets=$((targets + 1))
	go test -tags "$TAGS" -run '^$' -fuzz "^$name\$" -fuzztime "${FUZZTIME:-10m}" -fuzzminimizetime 1s "$package" 2>&1 | tee "$log" || failed=$((failed + 1))
	n=$(sed -n 's/.*execs: \([0-9]*\).*/\1/p' "$log" | tail -1)
	executions=$((executions + ${n:-0}))
done < <(grep -rE '^func Fuzz' --include='*_test.go' app mcpclient store |
	sed 's/func \(Fuzz[A-Za-z0-9_]*\).*/\1/' | grep -E "${ONLY:-.}" | sort)
printf 'fuzz: %d targets, %d executions, %d failed\n' "$targets" "$executions" "$failed"
[ "$failed" -eq 0 ]

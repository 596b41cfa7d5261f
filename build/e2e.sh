#!/usr/bin/env bash
# The page in Chromium against the real back end, on a display of its own. Names of
# files under frontend/e2e narrow the run: build/e2e.sh journey
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

reports=build/bin/results/reports
mkdir -p "$reports"
files=()
for name in "${@:-*}"; do
	# shellcheck disable=SC2206 # the name may be a pattern
	files+=(frontend/e2e/$name.e2e.mjs)
done
exec build/linux/headless.sh node --test --test-concurrency=1 --test-timeout=600000 \
	--test-reporter=spec --test-reporter-destination=stdout \
	--test-reporter=tap --test-reporter-destination="$reports/e2e.tap" \
	"${files[@]}"

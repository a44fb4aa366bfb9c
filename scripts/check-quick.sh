#!/bin/sh
# `npm run check:quick`: types beside lint, each on a core of its own, and then the unit tests, which use all cores.
# Each part's output stands together, and all parts run whatever fails.
mkdir -p .cache
types() {
  tsc --noEmit --incremental --tsBuildInfoFile .cache/types.tsbuildinfo --pretty
}
lint() {
  # By content: a checkout or a rebase changes the time of files that are as they were.
  eslint . --cache --cache-location .cache/eslint --cache-strategy content
  linted=$?
  prettier --check . --cache --cache-location .cache/prettier --cache-strategy content && return $linted
}

output=$(mktemp)
trap 'rm -f "$output"' EXIT
types >"$output" 2>&1 &
failed=''
lint || failed="$failed lint"
wait $! || failed="$failed types"
cat "$output"
npm run --silent test:unit || failed="$failed test:unit"
if [ -n "$failed" ]; then
  echo "check:quick failed:$failed" >&2
  exit 1
fi

#!/bin/sh
# `npm run check:quick`: types beside lint, each on a core of its own, and then the unit tests, which use all cores: all of
# them, or those that something reaches which has changed since they last passed. All parts run whatever fails.
mkdir -p .cache
passed=.cache/units-passed
started=$(git stash create)
started=${started:-$(git rev-parse HEAD)}

types() {
  tsc --noEmit --incremental --tsBuildInfoFile .cache/types.tsbuildinfo --pretty &&
    tsc --project console --incremental --tsBuildInfoFile .cache/console.tsbuildinfo --pretty
}
lint() {
  # By content: a checkout or a rebase changes the time of files that are as they were.
  eslint . --cache --cache-location .cache/eslint --cache-strategy content
  linted=$?
  prettier --check . --cache --cache-location .cache/prettier --cache-strategy content && return $linted
}
# What differs from the files with which the unit tests last passed. A file that git does not know yet is always among it.
changed() {
  git diff --name-only "$(cat $passed)" && git ls-files --others --exclude-standard
}
units() {
  if ! changes=$(changed 2>/dev/null) || echo "$changes" | grep -qvE '^$|\.md$|^(src|scripts|bench|console|test)/.*\.tsx?$'; then
    npm run --silent test:unit
  else
    # shellcheck disable=SC2046 # a name of a source file has no spaces
    npm run --silent test:unit -- --passWithNoTests --findRelatedTests none $(echo "$changes" | grep '\.tsx\?$')
  fi
}

output=$(mktemp)
trap 'rm -f "$output"' EXIT
echo 'Types and lint: seconds, or two minutes where .cache is empty.'
types >"$output" 2>&1 &
failed=''
lint || failed="$failed lint"
wait $! || failed="$failed types"
cat "$output"
units && echo "$started" >$passed || failed="$failed test:unit"
if [ -n "$failed" ]; then
  echo "check:quick failed:$failed" >&2
  exit 1
fi

#!/bin/sh
# Runs every test program of a build, then the end-to-end tests: tests/run.sh [OUT], OUT = build, build/asan, ...
# The last line is `N passed, N failed, N skipped`; exit 1 if anything failed.
set -u
cd "$(dirname "$0")/.." || exit 2
out=${1:-build}
case $out in /*) ;; *) out=$PWD/$out ;; esac
passed=0 failed=0 skipped=0
log=$(mktemp "${TMPDIR:-/tmp}/freshet-test.XXXXXX") || exit 2
trap 'rm -f "$log"' EXIT
trap 'exit 130' INT TERM

# number LABEL: N of the line `[  LABEL  ] N test(s)`.
number() {
    sed -n "s/^\[  *$1  *\] \([0-9][0-9]*\) test(s).*/\1/p" "$log" | tail -n 1 | grep . || echo 0
}

# A test program that hangs must not hang the rest with it.
limited() {
    if command -v timeout >/dev/null 2>&1; then
        timeout -k 5 "${FRESHET_TEST_SECONDS:-300}" "$@"
    else
        "$@"
    fi
}

for program in "$out"/tests/test_*; do
    case $program in *.d | *.o) continue ;; esac
    [ -x "$program" ] || continue
    # No test program needs a display; the end-to-end tests choose their own.
    SDL_VIDEODRIVER=dummy SDL_RENDER_DRIVER=software limited "$program" >"$log" 2>&1
    rc=$?
    good=$(number PASSED) bad=$(number FAILED) left=$(number SKIPPED)
    [ "$rc" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
    [ "$rc" -ne 0 ] || [ "$good" -gt 0 ] || [ "$left" -gt 0 ] || bad=1 # it ran nothing
    if [ "$bad" -gt 0 ]; then
        echo "FAILED ${program##*/} (exit $rc)"
        grep -v '^\[ RUN  \|^\[  *OK \]' "$log" | sed 's/^/    /'
    else
        echo "ok ${program##*/} ($good)"
        grep 'skipped:' "$log" | sed 's/^/    /'
    fi
    passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + left))
done
if [ $((passed + failed + skipped)) -eq 0 ]; then
    echo "no test programs in $out/tests: make tests"
    failed=1
fi

tests/e2e.sh "$out" >"$log" 2>&1
rc=$?
cat "$log"
good=$(grep -c '^ok ' "$log") bad=$(grep -c '^FAILED ' "$log") left=$(grep -c '^skipped ' "$log")
[ "$rc" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + left))

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]

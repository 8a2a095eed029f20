#!/bin/sh
# check: what must hold before a change is done (`make check`). Every step is one line with its time; the output of a
# step that fails is shown, and kept in build/check/. A step whose tool is missing is skipped and named at the end.
#
#   tools/check.sh [STEP...]     only the named steps; `tools/check.sh list` names them
set -u
cd "$(dirname "$0")/.." || exit 2
MAKE=${MAKE:-make}
PKG_CONFIG=${PKG_CONFIG:-pkg-config}
unset MAKEFLAGS MFLAGS MAKELEVEL BUILD B
LC_ALL=C
export LC_ALL
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
out=build/check
mkdir -p "$out/logs" "$out/run"
chmod 700 "$out/run"
: >"$out/logs/skips"

# Tests and smoke runs need no screen, and one renderer gives one picture.
SDL_VIDEODRIVER=dummy
SDL_RENDER_DRIVER=software
XDG_RUNTIME_DIR=$PWD/$out/run
XDG_DATA_HOME=$PWD/$out/run
UBSAN_OPTIONS=print_stacktrace=1
export SDL_VIDEODRIVER SDL_RENDER_DRIVER XDG_RUNTIME_DIR XDG_DATA_HOME UBSAN_OPTIONS

passed=0 failed=0 skipped=0

have() { command -v "$1" >/dev/null 2>&1; }

# step NAME COMMAND...: runs it, says how it went. Exit 77 = skipped, with the reason as the last line.
step() {
    step_name=$1
    shift
    step_log=$out/logs/$(echo "$step_name" | tr ' /,' '---').log
    printf 'check: %s ... ' "$step_name"
    step_began=$(date +%s)
    "$@" >"$step_log" 2>&1 </dev/null
    step_rc=$?
    step_took=$(($(date +%s) - step_began))
    case $step_rc in
    0)
        passed=$((passed + 1))
        echo "ok ($step_took s)"
        ;;
    77)
        skipped=$((skipped + 1))
        echo "skipped"
        echo "$step_name: $(tail -n 1 "$step_log")" >>"$out/logs/skips"
        ;;
    *)
        failed=$((failed + 1))
        echo "FAILED ($step_took s), $step_log:"
        # What says why may stand far above the end (a leak report follows a failed test).
        {
            grep -E 'FAILED|ERROR|LINE|error:|runtime error|WARNING: Thread' "$step_log" | head -n 12
            echo "..."
            tail -n 12 "$step_log"
        } | sed 's/^/    /'
        ;;
    esac
}

# A test that hangs must not hang the rest with it.
limited() {
    if have timeout; then
        timeout -k 5 "${FRESHET_TEST_SECONDS:-600}" "$@"
    else
        "$@"
    fi
}

skip() {
    echo "$*"
    exit 77
}

# build COMPILER FOLDER [MAKE ARGUMENT...]: with warnings as errors.
build() (
    compiler=$1 folder=$2
    shift 2
    have "$compiler" || skip "no $compiler"
    exec $MAKE -s -j"$jobs" "B=$folder" "CC=$compiler" EXTRA_CFLAGS=-Werror "$@"
)

all_and_tests() {
    if $PKG_CONFIG --exists cmocka; then
        build "$@" all tests
    else
        build "$@" all
    fi
}

# ------------------------------------------------------------------------------------------------ steps

layers_can_fail() { tools/check_layers_can_fail.sh; }

format() (
    have clang-format || skip "no clang-format"
    find src tools tests -name '*.[ch]' | sort | xargs clang-format --dry-run -Werror
)

# The three needed libraries alone: builds, runs the default map, and says what it was built without.
minimal() (
    build cc build/check-minimal HAVE_IMAGE= HAVE_ZLIB= HAVE_ZSTD= HAVE_EXPAT= all || exit
    build/check-minimal/freshet --version || exit
    if build/check-minimal/freshet --version | grep -Eqi 'zlib|zstd|expat|sdl2_image'; then
        echo "--version names a library that was left out"
        exit 1
    fi
    build/check-minimal/freshet --headless --ticks 60 --report - || exit
    build/check-minimal/freshet-map validate maps/vale.tmj
)

# What is in maps/ is what the generator writes, byte by byte.
maps() (
    build cc build/check-gcc build/check-gcc/make_maps || exit
    fresh=$(mktemp -d) && mkdir "$fresh/scenarios" && build/check-gcc/make_maps "$fresh" || exit
    for file in "$fresh"/*.* "$fresh"/scenarios/*; do
        cmp "$file" "maps/${file#"$fresh"/}" || status=1
    done
    rm -rf "$fresh"
    exit "${status:-0}"
)

# The C example of the README compiles against what `make install` installs, links without SDL, and runs; every
# header that is installed compiles alone, and none is a room's own.
readme_example() (
    root=$PWD/$out/root
    rm -rf "$root"
    $MAKE -s -j"$jobs" B=build/check-gcc EXTRA_CFLAGS=-Werror "DESTDIR=$root" PREFIX=/usr install || exit
    if find "$root/usr/include" -name '*_internal.h' | grep .; then
        echo "internal headers are installed"
        exit 1
    fi
    (cd "$root/usr/include/freshet" && find . -name '*.h') | while read -r header; do
        printf '#include "%s"\nint here;\n' "${header#./}" >"$out/header.c"
        ${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only "-I$root/usr/include/freshet" "$out/header.c" || exit
    done || exit
    awk '/^```c$/ { on = 1; next } /^```/ { on = 0 } on' README.md >"$out/example.c"
    [ -s "$out/example.c" ] || { echo "README.md has no C example"; exit 1; }
    libraries="libcjson"
    for library in zlib libzstd expat; do
        $PKG_CONFIG --exists $library && libraries="$libraries $library"
    done
    # shellcheck disable=SC2046,SC2086 # flags are words
    ${CC:-cc} -std=c11 -Wall -Wextra -Werror "-I$root/usr/include/freshet" "$out/example.c" "-L$root/usr/lib" \
        -lfreshet $($PKG_CONFIG --cflags --libs $libraries) -lm -o "$out/example" || exit
    "$out/example"
)

# hash_of PROGRAM THREADS SCENARIO TICKS: the state hash after a short run.
hash_of() {
    "$1" --headless --scenario "$3" --ticks "$4" --threads "$2" --report - |
        sed -n 's/.*"state_hash": *"\([0-9a-f]*\)".*/\1/p'
}

# same_hash SCENARIO TICKS PROGRAM:THREADS...: one hash for all of them.
same_hash() {
    scenario=$1 ticks=$2 reference=
    shift 2
    for run in "$@"; do
        hash=$(hash_of "${run%:*}" "${run##*:}" "$scenario" "$ticks")
        echo "$hash $scenario ${run%:*} --threads ${run##*:}"
        [ "${#hash}" -eq 16 ] || return 1
        [ "${reference:=$hash}" = "$hash" ] || return 1
    done
}

# The state hash is the same for every build and number of threads: one scenario with each number in each build,
# all scenes with each number in one build, and with one in the others.
one_hash() (
    programs=
    for compiler in gcc clang; do
        have $compiler || { echo "without $compiler"; continue; }
        build $compiler build/check-$compiler build/check-$compiler/freshet || exit
        build $compiler build/check-$compiler BUILD=debug build/check-$compiler/debug/freshet || exit
        programs="$programs build/check-$compiler/freshet build/check-$compiler/debug/freshet"
    done
    [ -n "$programs" ] || exit 1
    all= one_each=
    for program in $programs; do
        all="$all $program:0 $program:1 $program:2 $program:4"
        one_each="$one_each $program:2"
    done
    first=${programs# }
    first=${first%% *}
    # shellcheck disable=SC2086 # lists of words
    same_hash maps/scenarios/vale.json 240 $all || exit
    for scenario in maps/scenarios/s0*.json maps/scenarios/s1[01]*.json; do
        # shellcheck disable=SC2086
        same_hash "$scenario" 660 "$first:0" "$first:1" "$first:4" $one_each || exit
    done
)

# Nothing in the tree may speak of the machine that it was written on. The brackets keep this line out of it.
machine_paths() (
    if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        git ls-files -z
    else
        find . -path ./build -prune -o -type f -print0
    fi | xargs -0 grep -nIE '/tmp/[b]uild|/[w]ork/|/[r]oot/|/[h]ome/[a-z]' && exit 1
    exit 0
)

# One step a test program, so that a failure has a name. Where a test skipped cases it is named at the end.
run_tests() {
    tests_kind=$1
    shift
    for tests_program in "$@"; do
        [ -x "$tests_program" ] || continue
        step "${tests_program##*/} under $tests_kind" limited "$tests_program"
        grep -l '\[  SKIPPED \].*test(s)' "$step_log" >/dev/null &&
            echo "${tests_program##*/} under $tests_kind: $(grep -c '^\[  SKIPPED \] [a-z]' "$step_log") cases" \
                >>"$out/logs/skips"
    done
}

sanitizers() {
    if ! $PKG_CONFIG --exists cmocka; then
        step "tests under sanitizers" skip_here "no cmocka"
        return
    fi
    # Not with -Werror: what the sanitizers put in makes gcc warn of things that are not in the source.
    step "build with asan" build cc "$out" BUILD=asan EXTRA_CFLAGS= all tests
    # SDL keeps nothing under the dummy driver, so leaks are looked for too.
    run_tests "asan and ubsan" "$out"/asan/tests/test_*
    threaded=
    for source in tests/test_*.c; do
        case $source in
        *jobs* | *field* | *integrate* | *service* | *crowd* | *world* | *sim* | *scenario* | *replay* | *orders* | *stress* | *goals* | *capacity* | *congestion*) ;;
        *) continue ;;
        esac
        source=${source##*/}
        threaded="$threaded $out/tsan/tests/${source%.c}"
    done
    # shellcheck disable=SC2086 # a list of words
    step "build with tsan" build cc "$out" BUILD=tsan EXTRA_CFLAGS= $threaded
    # shellcheck disable=SC2086
    run_tests tsan $threaded
}

skip_here() (skip "$@")

run() {
    case $1 in
    gcc) step "warnings are errors, gcc" all_and_tests gcc build/check-gcc ;;
    clang) step "warnings are errors, clang" all_and_tests clang build/check-clang ;;
    layers)
        step "floors of the house" tools/check_layers.sh
        step "check of the floors can fail" layers_can_fail
        ;;
    format) step "format" format ;;
    minimal) step "three libraries alone" minimal ;;
    maps) step "maps are what the generator writes" maps ;;
    readme) step "example of the README" readme_example ;;
    sanitizers) sanitizers ;;
    hash) step "one state hash for all builds and threads" one_hash ;;
    paths) step "no path of one machine in the tree" machine_paths ;;
    *)
        echo "check.sh: unknown step $1 (known: $steps)" >&2
        exit 2
        ;;
    esac
}

steps="paths format layers gcc clang minimal maps readme hash sanitizers"
[ "${1:-}" = list ] && { echo "$steps"; exit 0; }
# shellcheck disable=SC2086 # a list of words
[ $# -gt 0 ] || set -- $steps
for name in "$@"; do
    run "$name"
done

if [ -s "$out/logs/skips" ]; then
    echo "check: skipped for want of something:"
    sed 's/^/    /' "$out/logs/skips"
fi
echo "check: $passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]

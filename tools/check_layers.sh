#!/bin/sh
# check_layers: keeps the floors of the house apart. A file may include its own floor and lower ones; libraries have
# one door each; floors 0-5 open no file, print nothing and allocate through base/memory.h only. Prints each breach
# as `file:line: rule` and exits 1. Files too long to hold in the head are listed, but don't fail.
#
#   tools/check_layers.sh [ROOT]     ROOT: the source tree, default the one that this script is in
set -u
cd "${1:-"$(dirname "$0")/.."}" || exit 2
LC_ALL=C
export LC_ALL

found=$(mktemp) || exit 2
trap 'rm -f "$found"' EXIT INT TERM

# shellcheck disable=SC2016 # awk's own dollars
# Comments and strings are blanked first, so that prose may speak of malloc; includes are read before that.
find src tools -name '*.[ch]' | sort | xargs awk '
BEGIN {
    count = split("base grid mapio field crowd sim view app", rooms, " ")
    for (i = 1; i <= count; i++) floor_of[rooms[i]] = i - 1
    side["jobs"] = side["files"] = 1
    banned = "(^|[^A-Za-z0-9_])(malloc|calloc|realloc|free|strdup|printf|fprintf|vprintf|vfprintf|puts|fputs|putchar|fopen|freopen|fdopen|fclose|fread|fwrite|getenv|exit|abort|time|clock|clock_gettime|rand|srand) *\\("
    trigonometry = "(^|[^A-Za-z0-9_])(sin|cos|tan|asin|acos|atan|atan2|sincos|exp|log|pow|hypot|cbrt)f? *\\("
}

function breach(rule) { printf "%s:%d: %s\n", FILENAME, FNR, rule }

# The line without comments, strings and character constants.
function code_of(line,    out, at, two, one) {
    out = ""
    for (at = 1; at <= length(line); at++) {
        two = substr(line, at, 2)
        one = substr(line, at, 1)
        if (in_comment) {
            if (two == "*/") { in_comment = 0; at++ }
        } else if (quote != "") {
            if (one == "\\") at++
            else if (one == quote) quote = ""
        } else if (two == "/*") {
            in_comment = 1
            at++
        } else if (two == "//") {
            break
        } else if (one == "\"" || one == "\047") {
            quote = one
            out = out " "
        } else {
            out = out one
        }
    }
    quote = ""
    return out
}

# A header of one library: allowed in one file of its home and nowhere else.
function one_door(library, home) {
    if (room != home) breach("only " home " may see " library)
    else if (door[library] != "" && door[library] != FILENAME)
        breach(library " has its door in " door[library] " already")
    else door[library] = FILENAME
}

function check_own_include(header,    target) {
    target = header
    if (header !~ /^[a-z_]+\/[a-z0-9_]+\.h$/) {
        breach("include \"" header "\" must name its room: \"room/file.h\"")
        return
    }
    sub(/\/.*/, "", target)
    if (!(target in floor_of) && !(target in side)) breach("there is no room " target)
    else if (room in side) {
        if (target != room && target != "base") breach("side room " room " sees base only, not " target)
    } else if (target in side) {
        if (room != "app") breach("side room " target " is for app, tools and tests, not " room)
    } else if (floor_of[target] > floor_of[room])
        breach("floor " floor_of[room] " (" room ") must not see floor " floor_of[target] " (" target ")")
    else if (room == "view" && target == "sim" && header != "sim/snapshot.h")
        breach("view sees sim/snapshot.h alone, not " header)
}

FNR == 1 {
    in_comment = 0
    quote = ""
    room = ""
    if (split(FILENAME, parts, "/") > 2 && parts[1] == "src") room = parts[2]
    base = parts[3]
    sub(/\.[ch]$/, "", base)
    core = (room in floor_of) && floor_of[room] <= 5
    quiet = core && FILENAME != "src/base/memory.c" && FILENAME != "src/base/assert.c"
    exact = room == "field" || room == "crowd" || (room == "sim" && base !~ /^scorecard/)
    if (room != "" && !(room in floor_of) && !(room in side)) breach("there is no room " room)
}

!in_comment && /^[ \t]*#[ \t]*include/ {
    header = $0
    sub(/^[ \t]*#[ \t]*include[ \t]*/, "", header)
    own = header ~ /^"/
    sub(/^["<]/, "", header)
    sub(/[">].*$/, "", header)
    if (header ~ /cJSON/ && FILENAME != "src/base/json.c") breach("only src/base/json.c may see cJSON")
    if (room != "" && header ~ /^(zlib|zconf)\.h$/) one_door("zlib", "mapio")
    if (room != "" && header ~ /^(zstd|zstd_errors)\.h$/) one_door("zstd", "mapio")
    if (room != "" && header ~ /^expat/) one_door("expat", "mapio")
    if (room != "" && header ~ /^SDL_image/) one_door("SDL2_image", "view")
    if (header ~ /SDL/ && room != "" && room != "view" && room != "app" && room != "jobs")
        breach(room " must not see SDL")
    if (room != "" && own) check_own_include(header)
    next
}

{
    code = code_of($0)
    if (FILENAME ~ /\.c$/ && code ~ /(^|[^A-Za-z0-9_])extern([^A-Za-z0-9_]|$)/) breach("no extern in a .c file")
    if (quiet && match(code, banned)) {
        name = substr(code, RSTART, RLENGTH)
        gsub(/[^a-z_]/, "", name)
        breach("floors 0-5 must not call " name ": see base/memory.h, base/io.h")
    }
    if (exact && match(code, trigonometry)) {
        name = substr(code, RSTART, RLENGTH)
        gsub(/[^a-z0-9]/, "", name)
        breach("no " name " where results must be the same on every machine")
    }
    if (room == "view" && base !~ /^(render_sdl|text|image)$/ &&
        code ~ /(^|[^A-Za-z0-9_])(SDL_(Render|Create|Destroy|Update|Lock|SetRender|SetTexture)|TTF_|IMG_)[A-Za-z0-9_]* *\(/)
        breach("in view only render_sdl, text and image draw with SDL")
}
' >"$found"

# Every header stands alone.
cflags="-std=c11 -D_POSIX_C_SOURCE=200809L -fsyntax-only -Isrc -I."
cflags="$cflags $(${PKG_CONFIG:-pkg-config} --cflags sdl2 SDL2_ttf 2>/dev/null)"
for header in $(find src tools -name '*.h' | sort); do
    # shellcheck disable=SC2086 # flags are words
    printf '#include "%s"\n' "$header" | ${CC:-cc} $cflags -x c - 2>/dev/null ||
        echo "$header:1: does not compile alone" >>"$found"
done

cat "$found"
find src tools tests -name '*.[ch]' 2>/dev/null | sort | xargs awk '
FNR == 1 && NR > 1 && lines > 500 { print name ":" lines ": warning: over 500 lines" }
{ name = FILENAME; lines = FNR }
END { if (lines > 500) print name ":" lines ": warning: over 500 lines" }'

breaches=$(grep -c . "$found")
echo "layers: $breaches breaches in $(find src tools -name '*.[ch]' | grep -c .) files"
[ "$breaches" -eq 0 ]

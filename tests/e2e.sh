#!/usr/bin/env bash
# End-to-end tests of the programs as players and scripts use them: tests/e2e.sh [OUT]. First without a display
# (exit codes, files, event scripts under SDL's dummy driver: the same pictures on every machine), then by hand's
# tools under Xvfb, if there are any. One line a check: `ok`, `FAILED` or `skipped`; exit 1 if any failed.
set -u
cd "$(dirname "$0")/.." || exit 2
root=$PWD
out=${1:-build}
case $out in /*) ;; *) out=$root/$out ;; esac
freshet=$out/freshet
scripts=$root/tests/scripts
unset DISPLAY WAYLAND_DISPLAY SDL_VIDEODRIVER SDL_RENDER_DRIVER
export FRESHET_DATA=$root LC_ALL=C

tmp=$(mktemp -d "${TMPDIR:-/tmp}/freshet-e2e.XXXXXX") || exit 2
children=()
# Ends what was started here, and nothing else.
finish() {
    for child in "${children[@]}"; do
        kill "$child" 2>/dev/null
    done
    rm -rf "$tmp"
}
trap finish EXIT
trap 'exit 130' INT TERM
export XDG_RUNTIME_DIR=$tmp/runtime XDG_DATA_HOME=$tmp/home
mkdir -m 700 "$XDG_RUNTIME_DIR" "$XDG_DATA_HOME"
# Mesa, X11 and D-Bus keep what they once allocated; without a display nothing may leak.
leaks="${ASAN_OPTIONS:-}"
cd "$tmp" || exit 2

failures=0
pass() { echo "ok $1"; }
fail() {
    failures=$((failures + 1))
    echo "FAILED $1"
    shift
    [ $# -eq 0 ] || printf '    %s\n' "$@"
}
skip() { echo "skipped $1: $2"; }
# check NAME COMMAND...
check() {
    local name=$1
    shift
    if "$@" >check.log 2>&1; then
        pass "$name"
    else
        fail "$name" "$*" "$(tail -n 5 check.log)"
    fi
}
# exits CODE PATTERN ARGUMENT...: runs freshet; wants this code and, in what it says, this pattern.
exits() {
    local code=$1 pattern=$2
    shift 2
    "$freshet" "$@" >said.log 2>&1 </dev/null
    local rc=$?
    [ "$rc" -eq "$code" ] && { [ -z "$pattern" ] || grep -q -- "$pattern" said.log; } && return 0
    echo "exit $rc: $(head -n 3 said.log)"
    return 1
}

# number KEY FILE: the number behind a key of a dump or report, the first there is.
number() { grep -o "\"$1\": *-\?[0-9.]*" "$2" | head -n 1 | sed 's/.*: *//'; }
# list KEY FILE: what is between the brackets behind a key.
list() { sed -n "s/.*\"$1\": \[\([^]]*\)\].*/\1/p" "$2"; }
# units FILE: `id x y` a line.
units() {
    tr '{' '\n' <"$1" | sed -n 's/^"id": \([0-9]*\), "x": \([-0-9.]*\), "y": \([-0-9.]*\),.*/\1 \2 \3/p'
}
panel_count() { sed -n 's/.*"panels": \[\(.*\)\], "units".*/\1/p' "$1" | grep -o '\[' | wc -l; }
# middle FILE.bmp: the rows 200..539 of a 1280x720 picture, where no panel is (BMP begins at the bottom).
middle() { tail -c +$((54 + 180 * 3840 + 1)) "$1" | head -c $((340 * 3840)); }
differ_in_middle() { ! cmp -s <(middle "$1") <(middle "$2"); }
size_of_bmp() { od -An -t d4 -j 18 -N 8 "$1" | tr -s ' '; }

play() { "$freshet" --headless --scenario "$scripts/two.json" --camera 80,48,8 "$@"; }

# --- command line ---------------------------------------------------------------------------------------------
check "help" exits 0 "Usage: freshet" --help
check "version" exits 0 "^freshet [0-9]*\.[0-9]*\.[0-9]*$" --version
check "unknown option" exits 2 "'--nonsense'.*Try 'freshet --help'" --nonsense
check "headless without ticks" exits 2 "Try 'freshet --help'" --headless
check "scenario without ticks" exits 2 "states none.*Try 'freshet --help'" --headless --scenario "$scripts/two.json"
check "scenario and map" exits 2 "Try 'freshet --help'" --scenario "$scripts/two.json" x.tmj
check "no such map" exits 2 "nowhere.tmj" --headless --ticks 1 nowhere.tmj
check "no such scenario" exits 2 "nowhere.json" --headless --scenario nowhere.json
check "no such replay" exits 2 "nowhere.rec" --headless --replay nowhere.rec
check "no such script" exits 2 "nowhere.jsonl" --headless --ticks 1 --script nowhere.jsonl
check "no place for the report" exits 2 "no/such/place" --headless --ticks 1 --report no/such/place/r.json
check "no such data" exits 2 "vale.tmj" --data "$tmp" --headless --ticks 1
check "no display" exits 1 "no display" --ticks 1
check "no display at that address" env DISPLAY=:9999 bash -c '"$0" --ticks 1; [ $? -eq 1 ]' "$freshet"
check "dummy display if asked" env SDL_VIDEODRIVER=dummy "$freshet" --ticks 2 --threads 0
check "check prints a summary" exits 0 '"cost_hash"' --check "$root/maps/pass.tmj"
check "check refuses a bad map" exits 2 "cost" --check "$root/tests/bad/cost-zero.tmj"

# --- files of a run -------------------------------------------------------------------------------------------
files_of_a_run() {
    "$freshet" --headless --scenario "$root/maps/scenarios/pass.json" --ticks 120 --threads 2 --report r.json \
        --positions p.csv --dump d.json --record run.rec --screenshot s.bmp || return 1
    [ "$(number ticks r.json)" = 120 ] && [ "$(number units r.json)" = 400 ] || return 1
    [ "$(number allocations_per_tick r.json)" = 0 ] || { echo "allocates in ticks"; return 1; }
    head -n 1 p.csv | grep -q '^tick,id,group,x,y,radius,speed,goal_x,goal_y,state$' || return 1
    [ "$(wc -l <p.csv)" = $((1 + 121 * 400)) ] || { wc -l p.csv; return 1; }
    # The judge that knows the positions alone says the same, line for line, but for what only the program knew.
    "$out/freshet-bench" judge p.csv "$root/maps/scenarios/pass.json" >j.json || return 1
    [ "$(diff r.json j.json | grep '^>' | grep -vc ': null,\?$')" = 0 ] || { diff r.json j.json; return 1; }
    [ "$(grep -c . r.json)" = "$(grep -c . j.json)" ] || return 1
    [ "$(number tick d.json)" = 120 ] && [ "$(units d.json | wc -l)" = 400 ] || return 1
    [ "$(panel_count d.json)" = 0 ] && [ "$(size_of_bmp s.bmp)" = " 1280 720" ] || return 1
    ! ls -- *.tmp 2>/dev/null
}
check "all files of a run" files_of_a_run
movement() {
    (cd "$root" && "$out/freshet-bench" movebench --quick --scene s06-narrow-6 --out "$tmp/move.json") |
        grep -q '^s06-narrow-6: 32 units, 3 runs' || return 1
    grep -q '"bench": "movebench"' move.json || return 1
    "$out/freshet-bench" movebench --scene nowhere 2>said.log
    [ $? = 2 ] && grep -q "no scene begins with 'nowhere'" said.log
}
check "movement is judged" movement
check "report to standard output" exits 0 '"state_hash"' --headless --ticks 3 --report -
same_hash() {
    for threads in 0 1 3; do
        "$freshet" --headless --scenario "$root/maps/scenarios/pass.json" --ticks 200 --threads $threads \
            --report "h$threads.json" || return 1
    done
    grep -h '"state_hash"' h0.json h1.json h3.json | sort -u | wc -l | grep -qx 1
}
check "one hash for 0, 1 and 3 threads" same_hash
check "a recording runs again" exits 0 "" --headless --replay run.rec --threads 0
broken_recording() {
    # The last digit of a hash in every line of hashes.
    sed -e 's/0"\]}$/1"]}/' -e t -e 's/[1-9a-f]"\]}$/0"]}/' run.rec >broken.rec
    ! cmp -s run.rec broken.rec && exits 1 "first at tick [0-9]" --headless --replay broken.rec
}
check "a recording that differs is told" broken_recording
picture_twice() {
    play --ticks 5 --overlay cost --screenshot a.bmp && play --ticks 5 --overlay cost --screenshot b.bmp &&
        cmp a.bmp b.bmp && play --ticks 5 --screenshot c.bmp && differ_in_middle a.bmp c.bmp
}
check "a headless picture is the same every time" picture_twice
if "$freshet" --version | grep -q SDL2_image; then
    check "a PNG picture" bash -c '"$0" --headless --ticks 1 --screenshot s.png && head -c 4 s.png | grep -q PNG' "$freshet"
else
    check "PNG is refused by name" exits 2 "SDL2_image" --headless --ticks 1 --screenshot s.png
fi
paced() {
    local begin end
    begin=$(date +%s%N)
    play --paced --ticks 30 || return 1
    end=$(date +%s%N)
    [ $(((end - begin) / 1000000)) -ge 990 ]
}
check "paced ticks take their time" paced
installed() {
    mkdir -p inst/bin inst/share/freshet/fonts inst/share/freshet/maps
    cp "$freshet" inst/bin && cp "$root"/assets/fonts/* inst/share/freshet/fonts &&
        cp "$root"/maps/*.tmj "$root"/maps/*.tsj "$root"/maps/*.bmp inst/share/freshet/maps || return 1
    env -u FRESHET_DATA inst/bin/freshet --headless --ticks 1 --screenshot i.bmp >installed.log 2>&1 &&
        [ ! -s installed.log ] || { cat installed.log; return 1; }
}
check "an installed program finds its map and font" installed
# From elsewhere, without a checkout around it; and what is said when there is nothing to be found.
bench_finds_scenes() {
    mkdir -p away inst/share/freshet/maps/scenarios
    cp "$out/freshet-bench" inst/bin && cp "$root"/maps/scenarios/s06-narrow-1.* inst/share/freshet/maps/scenarios &&
        (cd away && env -u FRESHET_DATA ../inst/bin/freshet-bench movebench --quick --mover freshet \
            --scene s06-narrow-1 --threads 0 >scenes.log 2>&1 && [ -s movebench.json ] && grep -q s06-narrow-1 scenes.log) ||
        { head -n 3 away/scenes.log; return 1; }
    mv inst/share/freshet/maps/scenarios inst/share/freshet/maps/no-scenarios
    (cd away && env -u FRESHET_DATA ../inst/bin/freshet-bench movebench --quick >none.log 2>&1; [ $? = 2 ]) ||
        return 1
    [ "$(wc -l <away/none.log)" = 1 ] && grep -q "^freshet-bench movebench: maps/scenarios: not found in \., .*share/freshet" away/none.log
}
[ -d /usr/local/share/freshet/maps/scenarios ] || check "freshet-bench finds the installed scenes" bench_finds_scenes
terminated_headless() {
    "$freshet" --headless --scenario "$scripts/two.json" --ticks 100000000 --threads 1 --report t.json &
    local game=$!
    children+=("$game")
    sleep 1
    kill -TERM "$game"
    wait "$game" && [ "$(number ticks t.json)" -gt 0 ] && ! ls t.json.*.tmp 2>/dev/null
}
check "TERM ends a headless run with its files" terminated_headless

# --- maps made and turned -------------------------------------------------------------------------------------
made_maps_load() {
    for kind in open noise cave maze rooms islands passes; do
        "$out/freshet-map" generate $kind 150x90 --seed 5 $kind.tmj && "$out/freshet-map" validate $kind.tmj &&
            "$out/freshet-map" generate $kind 150x90 --seed=5 again.tmj || return 1
        cmp <(sed s/again-tiles/$kind-tiles/ again.tmj) $kind.tmj || return 1
        [ "$("$out/freshet-map" validate $kind.tmj 2>&1)" = "" ] || return 1
    done
    "$freshet" --headless --ticks 2 --threads 0 cave.tmj
}
check "maps of every kind are made and load" made_maps_load
hash_of() { "$freshet" --check "$1" | grep '"foot"'; }
maps_are_turned() {
    "$out/freshet-map" convert cave.tmj cave.map && "$out/freshet-map" convert cave.map back.tmj &&
        [ "$(hash_of cave.tmj)" = "$(hash_of cave.map)" ] && [ "$(hash_of back.tmj)" = "$(hash_of cave.map)" ] &&
        "$out/freshet-map" generate cave 150x90 --seed 5 made.map && cmp made.map cave.map
}
check "a map turned into the other format and back keeps its costs" maps_are_turned
# Field cells of SCALE tiles on 13 x 5 open tiles: 12 steps to the corner, or as many as lie between the cells there.
field_cells() {
    echo '{"width":13,"height":5,"tilewidth":8,"tileheight":8,"layers":[],"properties":{"nav_scale":'"$1"'}}' >nav.tmj
    [ "$("$out/freshet-field" nav.tmj --goal 0,1 --at 12,1 --at 11,1 --at 11,4)" = "$2" ] &&
        "$out/freshet-map" info nav.tmj | grep -q "^fields of $3 tiles" &&
        [ "$("$freshet" --check nav.tmj | grep -c '"passable": 65')" = 1 ] &&
        "$freshet" --headless --ticks 60 --units 8 --report - nav.tmj | grep -q '"allocations_per_tick": 0'
}
check "field cells of half a tile" field_cells 0.5 $'12.000000\n11.000000\n12.242857' "26 x 10 cells of 0.5"
check "field cells of two tiles" field_cells 2 $'inf\n10.000000\ninf' "7 x 3 cells of 2"
check "field cells of four tiles" field_cells 4 $'inf\n8.000000\ninf' "4 x 2 cells of 4"
field_cells_of_three() { field_cells 3 "" "" || exits 2 "nav_scale: found 3, expected 0.5, 1, 2 or 4" --check nav.tmj; }
check "no field cells of three tiles" field_cells_of_three
thumbnails() {
    "$out/freshet-map" thumbnail cave.tmj cave.bmp && [ "$(size_of_bmp cave.bmp)" = " 450 270" ]
}
check "a thumbnail has whole pixels a cell" thumbnails
# map_refuses PATTERN ARGUMENT...: freshet-map exits with 2 and says so in one line.
map_refuses() {
    local pattern=$1
    shift
    "$out/freshet-map" "$@" >said.log 2>&1
    [ $? -eq 2 ] && grep -q -- "$pattern" said.log && [ "$(wc -l <said.log)" = 1 ] && return 0
    cat said.log
    return 1
}
check "freshet-map: unknown kind" map_refuses "'hills', expected open, .* or passes" generate hills 9x9 x.tmj
check "freshet-map: size" map_refuses "found size '0x9'" generate cave 0x9 x.tmj
check "freshet-map: too many cells" map_refuses "at most 16777216 cells" generate cave 16384x16384 x.tmj
check "freshet-map: seed" map_refuses "--seed: found 'one'" generate cave 9x9 --seed one x.tmj
check "freshet-map: no file" map_refuses "expected a file to write" generate cave 9x9
check "freshet-map: extension" map_refuses "x.png: expected a name that ends in" generate cave 9x9 x.png
check "freshet-map: nothing but walls" map_refuses "no open cell" generate maze 3x3 x.tmj
check "freshet-map: onto itself" map_refuses "written over itself" convert cave.tmj cave.tmj
check "freshet-map: picture" map_refuses "ends in .bmp" thumbnail cave.tmj cave.png
check "freshet-map: no such folder" map_refuses "no/such" generate cave 90x90 no/such/x.tmj
nothing_left() { ! ls x.* ./*.tmp 2>/dev/null; }
check "freshet-map leaves nothing behind where it refuses" nothing_left

# --- event scripts: virtual time, no display ------------------------------------------------------------------
selects_and_moves() {
    play --script "$scripts/select.jsonl" --ticks 100000 || return 1
    [ "$(list selected selected.json)" = "$(seq -s ', ' 0 19)" ] || { list selected selected.json; return 1; }
    [ "$(list selected cleared.json)" = "" ] || return 1
    # The selected are round the goal (50.5, 45.5); the others are where they were.
    { units selected.json; units arrived.json; } | awk '
        $1 in x { moved = sqrt(($2 - x[$1]) ^ 2 + ($3 - y[$1]) ^ 2); off = sqrt(($2 - 50.5) ^ 2 + ($3 - 45.5) ^ 2)
            if ($1 < 20 && off > 5) { print "unit", $1, "is", off, "from the goal"; bad = 1 }
            if ($1 >= 20 && moved > 0.01) { print "unit", $1, "moved", moved; bad = 1 }
            count++; next }
        { x[$1] = $2; y[$1] = $3 }
        END { exit bad || count != 40 }'
}
check "a box selects, a right click moves them alone" selects_and_moves
overlays_change_the_picture() {
    play --script "$scripts/overlays.jsonl" --ticks 100000 || return 1
    [ "$(list overlays F1.json)" = '"cost"' ] || return 1
    for key in F1 F2 F3; do
        differ_in_middle plain.bmp $key.bmp || { echo "$key changes nothing"; return 1; }
        cmp plain.bmp $key-back.bmp || return 1
    done
    differ_in_middle F1.bmp F2.bmp && differ_in_middle F2.bmp F3.bmp
}
check "F1, F2 and F3 change the paused picture and back" overlays_change_the_picture
same_pictures() {
    play --ticks 100000 --threads 0 --script "$scripts/select.jsonl" && cp moving.bmp once.bmp &&
        play --ticks 100000 --threads 2 --script "$scripts/select.jsonl" && cmp once.bmp moving.bmp
}
check "a script draws the same with 0 and 2 threads" same_pictures
played_again() {
    play --ticks 600 --script "$scripts/select.jsonl" --record played.rec --threads 2 &&
        grep -q '"units"' played.rec && "$freshet" --headless --replay played.rec --threads 0 --dump again.json &&
        [ "$(units again.json | wc -l)" = 40 ] &&
        units again.json | awk '$1 < 20 && $2 > 40 { gone++ } END { exit gone != 20 }'
}
check "what was played can be replayed" played_again
keys_and_window() {
    play --ticks 100000 --script "$scripts/keys.jsonl" || return 1
    local zoom zoomed
    zoom=$(list camera start.json | sed 's/.*, //') zoomed=$(list camera zoomed.json | sed 's/.*, //')
    awk "BEGIN { exit !($zoomed > $zoom * 1.2) }" || { echo "wheel: $zoom, $zoomed"; return 1; }
    [ "$(list camera help.json | sed 's/.*, //')" = "$zoom" ] || { echo "Home does not reset the zoom"; return 1; }
    [ "$(panel_count help.json)" = $(($(panel_count start.json) + 1)) ] || { echo "F10 opens no panel"; return 1; }
    [ "$(panel_count resized.json)" = "$(panel_count start.json)" ] || { echo "Esc does not close help"; return 1; }
    [ "$(size_of_bmp resized.bmp)" = " 900 600" ] || { echo "resize: $(size_of_bmp resized.bmp)"; return 1; }
    grep -q '"paused": true' paused.json && grep -q '"paused": false' doubled.json || return 1
    [ "$(number tick stepped.json)" = $(($(number tick paused.json) + 2)) ] || { echo "single steps"; return 1; }
    [ "$(number speed doubled.json)" = 2 ] || return 1
    [ "$(number tick doubled.json)" = $(($(number tick stepped.json) + 9)) ] ||
        { echo "double speed: $(number tick stepped.json) to $(number tick doubled.json)"; return 1; }
    [ "$(list selected group.json)" = "$(seq -s ', ' 0 19)" ] || { echo "group: $(list selected group.json)"; return 1; }
    ls "$XDG_DATA_HOME"/freshet/freshet-0001.* >/dev/null
}
check "keys, wheel, resize, groups, screenshot" keys_and_window
switches_movement() {
    play --ticks 100 --script "$scripts/movement.jsonl" --record switched.rec --threads 1 || return 1
    [ "$(panel_count open.json)" = $(($(panel_count closed.json) + 1)) ] || { echo "M opens no panel"; return 1; }
    # At the right, out of the middle 60 %.
    grep -q '\[10[2-9][0-9], 12, [0-9]*, [0-9]*\]' open.json || { echo "no panel at the right"; return 1; }
    cmp -s closed.bmp open.bmp && { echo "the panel is not to be seen"; return 1; }
    [ "$(grep -o '"set_movement"' switched.rec | wc -l)" = 3 ] || { grep set_movement switched.rec; return 1; }
    # In a pause two switches add up; the click is on the row of "queue", the keys mean it and the mover.
    grep '"set_movement"' switched.rec | grep -q '"mover": "naive", "without": \["queue"\]' || return 1
    "$freshet" --headless --replay switched.rec --threads 0
}
check "movement is switched on its panel, and replayed" switches_movement
check "a bad script is told with its line" bash -c 'echo "{\"at\": 1, \"type\": \"jump\"}" >bad.jsonl
    "$0" --headless --ticks 5 --script bad.jsonl 2>&1 | grep -q "bad.jsonl:1.*jump"' "$freshet"

# --- by hand's tools under Xvfb -------------------------------------------------------------------------------
by_hand="a dragged box, a right click, F1, F10, F11, wheel, resize and TERM in a real window"
for tool in Xvfb xdotool import-im6.q16; do
    if ! command -v $tool >/dev/null 2>&1; then
        skip "$by_hand" "no $tool here"
        [ "$failures" -eq 0 ]
        exit
    fi
done

export SDL_RENDER_DRIVER=software ASAN_OPTIONS="${leaks:+$leaks:}detect_leaks=0"
Xvfb -displayfd 3 -screen 0 1280x720x24 -nolisten tcp 3>display.txt >/dev/null 2>&1 &
children+=($!)
for _ in $(seq 50); do
    [ -s display.txt ] && break
    sleep 0.1
done
if [ ! -s display.txt ]; then
    skip "$by_hand" "Xvfb does not start"
    [ "$failures" -eq 0 ]
    exit
fi
DISPLAY=:$(tr -d '[:space:]' <display.txt)
export DISPLAY

"$freshet" --scenario "$scripts/two.json" --camera 80,48,8 --threads 1 --dump hand.json --report hand-report.json &
game=$!
children+=("$game")
window=$(timeout 30 xdotool search --sync --name '^Freshet$' | tail -n 1)
grab() { import-im6.q16 -window root -depth 8 -crop 1280x340+0+200 +repage "rgb:$1"; }
# Waits until the picture differs from (or, with `same`, equals) the one in a file.
picture_is() {
    for _ in $(seq 40); do
        grab now.rgb
        if cmp -s "$2" now.rgb; then [ "$1" = same ] && return 0; else [ "$1" = other ] && return 0; fi
        sleep 0.1
    done
    return 1
}
cpu_ticks() { awk '{ print $14 + $15 }' "/proc/$game/stat"; }

if [ -z "$window" ]; then
    fail "a window opens"
else
    pass "a window opens"
    xdotool mousemove 640 360
    sleep 0.5
    xdotool mousemove 150 286 mousedown 1 mousemove 200 340 mousemove 250 386 mouseup 1
    xdotool mousemove 404 340 click 3
    sleep 8 # the units walk; the marker and its ripple end
    xdotool key space
    sleep 0.7
    grab plain.rgb
    for key in F1 F2 F3; do
        xdotool key $key
        check "$key changes the picture in the window" picture_is other plain.rgb
        xdotool key $key
        check "$key changes it back" picture_is same plain.rgb
    done
    xdotool key F10
    check "F10 shows help" picture_is other plain.rgb
    xdotool key Escape
    check "Esc closes help" picture_is same plain.rgb
    begin=$(cpu_ticks)
    sleep 3
    used=$(($(cpu_ticks) - begin))
    [ $((used * 100)) -lt $((5 * 3 * $(getconf CLK_TCK))) ] && pass "paused, it takes less than 5 % of a core" ||
        fail "paused, it takes less than 5 % of a core" "$used clock ticks in 3 s"
    xdotool mousemove 640 300 click 4
    check "the wheel zooms" picture_is other plain.rgb
    xdotool key Home key F11
    sleep 0.5
    xdotool key F11
    xdotool windowsize "$window" 900 600
    sleep 0.5
    kill -0 "$game" && pass "fullscreen and resize are survived" || fail "fullscreen and resize are survived"
    kill -TERM "$game"
    wait "$game" && pass "TERM exits with 0" || fail "TERM exits with 0" "exit $?"
    hand_moved() {
        [ "$(list selected hand.json)" = "$(seq -s ', ' 0 19)" ] || { echo "selected: $(list selected hand.json)"; return 1; }
        units hand.json | awk '{ off = sqrt(($2 - 50.5) ^ 2 + ($3 - 45.5) ^ 2); near += $1 < 20 && off < 6; far += $1 >= 20 && off > 10 }
            END { if (near != 20 || far != 20) { print near, far; exit 1 } }'
    }
    check "the box took 20 units, and they alone went to the goal" hand_moved
    check "the report knows the first frame" bash -c 'grep -q "\"first_frame\": [1-9]" hand-report.json'
fi

[ "$failures" -eq 0 ]

#!/bin/sh
# check_layers_can_fail: a check that can't fail is worth nothing. Plants one breach of every rule of check_layers.sh
# in a copy of the tree and sees that each is found.
set -u
cd "$(dirname "$0")/.." || exit 2
copy=$(mktemp -d) || exit 2
trap 'rm -rf "$copy"' EXIT INT TERM
cp -R src tools "$copy"

# FILE|LINE TO ADD|RULE THAT MUST BE NAMED
plants='src/grid/planted.c|#include "field/field.h"|must not see floor
src/files/planted.c|#include "grid/grid.h"|sees base only
src/field/planted.c|#include "jobs/pool.h"|is for app, tools and tests
src/sim/planted.c|#include "world.h"|must name its room
src/view/planted.c|#include "sim/world.h"|sees sim/snapshot.h alone
src/sim/planted2.c|#include <cjson/cJSON.h>|may see cJSON
src/field/planted2.c|#include <zlib.h>|only mapio may see zlib
src/mapio/planted.c|#include <zstd.h>|has its door in
src/mapio/planted2.c|#include <zstd.h>|has its door in
src/view/planted2.c|#include <SDL_image.h>|has its door in
src/app/planted.c|#include <SDL_image.h>|only view may see SDL2_image
src/crowd/planted.c|#include <SDL.h>|must not see SDL
src/view/planted2.c|void f(void) { SDL_RenderClear(r); }|draw with SDL
src/app/planted.c|extern int shared;|no extern
src/grid/planted2.c|void *f(void) { return malloc(1); }|must not call malloc
src/crowd/planted2.c|float f(float x) { return sinf(x); }|no sinf
src/attic/planted.c|int x;|there is no room attic
src/base/planted.h|fr_no_such_type x;|does not compile alone'
mkdir -p "$copy/src/attic"
echo "$plants" | while IFS='|' read -r file line rule; do
    echo "$line" >>"$copy/$file"
done
tools/check_layers.sh "$copy" | grep planted >"$copy/found"
missed=$(echo "$plants" | while IFS='|' read -r file line rule; do
    # Where a library has two doors, which of them is the second is a matter of order.
    grep -q "$rule" "$copy/found" || echo "not found: $file: $line ($rule)"
done)
[ -z "$missed" ] || { echo "$missed"; exit 1; }
# And what only looks like a breach stays unseen.
cat >"$copy/src/grid/innocent.c" <<'END'
/* malloc(1) and extern are spoken of here, #include "sim/world.h" too:
#include "sim/world.h"
*/
const char *f(void) { return "malloc(1); extern"; } // free(x)
END
tools/check_layers.sh "$copy" | grep innocent && exit 1
echo "$(echo "$plants" | grep -c .) planted breaches found, none where there was none"

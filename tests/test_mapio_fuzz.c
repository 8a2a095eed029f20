/* Damaged files must never crash the loader: small maps are mutated some thousand times, always the same way.
 * What comes out is a map that keeps its own rules, or one line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/rng.h"
#include "memory_io.h"

#define ROUNDS 1500 /* for each seed map */

static const char tsx[] =
    "<?xml version='1.0'?><tileset name='x' tilewidth='8' tileheight='8' tilecount='4' columns='2'>"
    "<image source='a.png' width='16' height='16'/><tile id='2'><properties><property name='cost' "
    "type='int' value='3'/></properties></tile></tileset>";

/* Names and numbers that mean something here: mutations write them over others. */
static const char *const words[] = {
    "\"width\"",  "\"data\"", "\"chunks\"",   "\"tiles\"", "\"source\"", "\"cost\"", "null",
    "true",       "[]",       "{}",           "-1",        "0",          "1e9",      "4294967295",
    "2147483648", "0.5",      "\"\"",         "\"x\"",     "16384",      "zlib",     "base64",
    "infinite",   "\\u0041",  "\xef\xbb\xbf", "height",    "255\n",      "<tile",
};

static void mutate(fr_buffer *bytes, fr_rng *rng)
{
    uint32_t changes = 1 + fr_rng_below(rng, 4);
    for (uint32_t i = 0; i < changes && bytes->size > 2; i++) {
        size_t at = fr_rng_below(rng, (uint32_t)bytes->size);
        const char *word = words[fr_rng_below(rng, sizeof words / sizeof *words)];
        size_t length = strlen(word);
        switch (fr_rng_below(rng, 5)) {
        case 0:
            bytes->data[at] ^= (uint8_t)(1u << fr_rng_below(rng, 8));
            break;
        case 1:
            bytes->size = at;
            break;
        case 2: { /* drop a few bytes */
            size_t drop = 1 + fr_rng_below(rng, 8);
            drop = drop > bytes->size - at ? bytes->size - at : drop;
            memmove(bytes->data + at, bytes->data + at + drop, bytes->size - at - drop);
            bytes->size -= drop;
            break;
        }
        case 3: /* write a word over what is there */
            memcpy(bytes->data + at, word, length < bytes->size - at ? length : bytes->size - at);
            break;
        default: { /* put a digit where a digit was: keeps the text whole */
            while (at < bytes->size && (bytes->data[at] < '0' || bytes->data[at] > '9')) {
                at++;
            }
            if (at < bytes->size) {
                bytes->data[at] = (uint8_t)('0' + fr_rng_below(rng, 10));
            }
        }
        }
    }
}

static void check_map(const fr_map *map)
{
    int32_t count = fr_grid_count(map->grid);
    for (int c = 0; c < FR_CLASS_COUNT; c++) {
        assert_null(memchr(map->costs[c], 0, (size_t)count));
    }
    for (int32_t i = 0; i < count; i++) {
        assert_true(map->terrain[i] < FR_TERRAIN_COUNT);
    }
    for (int32_t i = 0; i < map->spawn_count; i++) {
        const fr_spawn *s = &map->spawns[i];
        assert_true(s->x >= 0 && s->x <= (float)map->grid.width && s->y >= 0 &&
                    s->y <= (float)map->grid.height);
    }
    assert_in_range(map->full_speed_cost, 1, 254);
}

static void test_damaged_files(void **state)
{
    (void)state;
    static const char *const seeds[] = {
        "{'type':'map','width':3,'height':2,'tilewidth':8,'tileheight':8,'properties':[{'name':'full_speed_"
        "cost',"
        "'value':2}],'tilesets':[{'firstgid':1,'name':'t','tilewidth':8,'tileheight':8,'tilecount':4,'"
        "columns':2,"
        "'image':'t.png','tiles':[{'id':1,'properties':[{'name':'cost','value':9},{'name':'terrain','value':'"
        "road'}]}"
        "]},{'firstgid':5,'source':'x.tsx'}],'layers':[{'type':'group','layers':[{'type':'tilelayer','name':'"
        "a',"
        "'width':3,'height':2,'data':[1,2,3,2147483652,5,7]}]},{'type':'objectgroup','objects':[{'type':'"
        "spawn',"
        "'x':8,'y':8,'width':8,'height':8,'properties':[{'name':'count','value':3}]}]}]}",
        "{'width':3,'height':2,'infinite':true,'tilewidth':8,'tileheight':8,'tilesets':[{'firstgid':1,'"
        "source':'x.tsx'"
        "}],'layers':[{'type':'tilelayer','name':'walls','encoding':'base64','compression':'zlib','chunks':["
        "{'x':-3,'y':0,'width':3,'height':2,'data':'eNpjZGBgYGKAACDdwAKkmYEYAAUcAI0='},{'x':0,'y':0,'width':"
        "3,"
        "'height':2,'data':'eNpjZGBgYGKAACDdwAKkmYEYAAUcAI0='}]}]}",
        "type octile\nheight 2\nwidth 3\nmap\n.@T\nGSW\n",
        "version 1\n0\ta.map\t3\t2\t0\t0\t1\t0\t1.00\n1 a.map 3 2 0 0 1 1 1.41\n",
        tsx,
    };
    int loaded = 0, refused = 0;
    for (size_t s = 0; s < sizeof seeds / sizeof *seeds; s++) {
        fr_rng rng = {s};
        for (int round = 0; round < ROUNDS; round++) {
            fr_buffer bytes = {0};
            append_quoted(&bytes, seeds[s]);
            mutate(&bytes, &rng);
            /* The damaged bytes stand in for the scenario, the tileset or the map itself. */
            fr_buffer text = {0};
            fr_buffer_append(&text, bytes.data, bytes.size);
            fr_buffer_append(&text, "", 1);
            const memory_file files[] = {{"maps/x.tsx", seeds[s] == tsx ? (const char *)text.data : tsx},
                                         {"a.scen", (const char *)text.data},
                                         {NULL, NULL}};
            fr_io io = memory_io(files);
            fr_error error = {0};
            fr_scen_line *lines = NULL;
            int32_t count = 0;
            if (fr_scen_load(&io, "a.scen", &lines, &count, &error) == FR_OK) {
                fr_free(lines);
            }
            error = (fr_error){0};
            fr_map *map = seeds[s] == tsx
                              ? load_text(files, seeds[1], &error)
                              : fr_map_load_bytes(&io, "maps/m.tmj", bytes.data, bytes.size, &error);
            if (map != NULL) {
                check_map(map);
                loaded++;
            } else {
                assert_string_not_equal(error.message, "");
                assert_null(strchr(error.message, '\n'));
                refused++;
            }
            fr_map_destroy(map);
            fr_buffer_fini(&text);
            fr_buffer_fini(&bytes);
        }
    }
    /* Both must happen often, or the mutations are too wild or too tame to find anything. */
    bool can_load =
        strstr(fr_mapio_libraries(), "zlib") != NULL && strstr(fr_mapio_libraries(), "expat") != NULL;
    assert_true(loaded > ROUNDS / 4 || !can_load);
    assert_true(refused > ROUNDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_damaged_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

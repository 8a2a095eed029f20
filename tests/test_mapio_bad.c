/* Map files that are refused: each with one defect, each with one line that says where it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>

#include "files/stdio_io.h"
#include "memory_io.h"

#define HEAD "{'width':3,'height':2,'tilewidth':16,'tileheight':16,"
#define LAYERS(layers)                                                                                       \
    HEAD "'tilesets':[{'firstgid':1,'name':'t','tilewidth':16,'tileheight':16,'tilecount':9}],'layers':"     \
         "[" layers "]}"
#define LAYER(more)  LAYERS("{'type':'tilelayer','name':'g'," more "}")
#define BASE64(more) LAYER("'width':3,'height':2,'encoding':'base64'," more)
#define SPAWN(more)  LAYERS("{'type':'objectgroup','objects':[{'type':'spawn'," more "}]}")

static void expect_refused(const char *what, fr_map *map, const fr_error *error, const char *message)
{
    if (map != NULL || strstr(error->message, message) == NULL) {
        fail_msg("%s: found %s, expected \"%s\" in it", what, map != NULL ? "a map" : error->message,
                 message);
    }
    assert_null(strchr(error->message, '\n'));
}

static void test_refused_maps(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "maps/test.tmj: 1:1: empty"},
        {"[]", "$: expected a Tiled map"},
        {"<map version='1.0'/>", "1:1: XML, expected JSON"},
        {"{'type':'tileset'}", "$: a tileset, not a map"},
        {"{'type':'world'}", "$: a world, not a map"},
        {"{'columns':4,'tilewidth':16}", "$: a tileset, not a map"},
        {"{'object':{},'tileset':{}}", "$: a template, not a map"},
        {"{'layers':[]}", "\"width\" is missing"},
        {HEAD "'layers':[],'orientation':'hexagonal'}", "$.orientation: hexagonal maps"},
        {HEAD "'layers':[],'orientation':'staggered'}", "$.orientation: staggered maps"},
        {"{'width':-3,'height':2,'layers':[]}", "$.width: found -3, expected a whole number in 1..16384"},
        {"{'width':3,'height':1e9,'layers':[]}", "$.height: found 1000000000"},
        {"{'width':'3','height':2,'layers':[]}", "$.width: found \"3\""},
        {"{'width':16384,'height':16384,'layers':[]}", "map of 16384 x 16384, at most"},
        {"{'width':3,'height':2,'tilewidth':0,'tileheight':16,'layers':[]}", "$.tilewidth: found 0"},
        {HEAD "'layers':[],'properties':[{'name':'full_speed_cost','value':0}]}",
         "$.properties[0].value: found 0, expected a whole number in 1..254"},
        {HEAD "'layers':[],'properties':[{'name':'nav_scale','value':3}]}",
         "$.properties[0].value: nav_scale: found 3, expected 0.5, 1, 2 or 4"},
        {HEAD "'layers':[],'properties':[{'name':'nav_scale','value':-0.5}]}", "nav_scale: found -0.5"},
        {HEAD "'layers':[],'properties':[{'name':'nav_scale','value':'2'}]}", "nav_scale: found a string"},
        {HEAD "'layers':[],'properties':{'nav_scale':true}}",
         "$.properties.nav_scale: nav_scale: found true or false"},
        {"{'width':2049,'height':2048,'tilewidth':16,'tileheight':16,'layers':[],"
         "'properties':[{'name':'nav_scale','value':0.5}]}",
         "nav_scale: fields of 4098 x 4096 cells, at most 16384 a side and 16777216 cells in all"},

        {HEAD "'tilesets':[{'name':'t'}]}", "$: a file without layers"},
        {HEAD "'layers':[],'tilesets':[{'name':'t'}]}", "$.tilesets[0]: \"firstgid\" is missing"},
        {HEAD "'layers':[],'tilesets':[{'firstgid':0}]}", "$.tilesets[0].firstgid: found 0"},
        {HEAD "'layers':[],'tilesets':[{'firstgid':1}]}", "$.tilesets[0]: \"tilewidth\" is missing"},
        {HEAD "'layers':[],'tilesets':[{'firstgid':1,'source':7}]}", "$.tilesets[0].source: found 7"},
        {HEAD "'layers':[],'tilesets':[{'firstgid':1,'source':'a/b.tsj'}]}",
         "$.tilesets[0].source: tileset maps/a/b.tsj: no such file"},
        {LAYERS("") "]", "trailing text"},
        {HEAD "'layers':[],'tilesets':[{'firstgid':2,'tilewidth':1,'tileheight':1},"
              "{'firstgid':2,'tilewidth':1,'tileheight':1}]}",
         "two tilesets with firstgid 2"},

        {LAYER("'width':3,'height':2"), "layer \"g\": \"data\" is missing"},
        {LAYER("'width':3,'height':2,'data':[1,1,1,1,1]"), "found 5 numbers, expected 3 x 2 = 6"},
        {LAYER("'width':3,'height':2,'data':[1,1,1,1,1,1,1]"), "found 7 numbers, expected 3 x 2 = 6"},
        {LAYER("'width':3,'height':2,'data':'AAAA'"), "layer \"g\": found 0 numbers"},
        {LAYER("'width':3,'height':2,'data':[1,1,1,1.5,1,1]"), "$.layers[0].data[3]: found 1.5"},
        {LAYER("'width':3,'height':2,'data':[1,1,1,1,-1,1]"), "$.layers[0].data[4]: found -1"},
        {LAYER("'width':3,'height':2,'data':[1,1,1,1,1,4294967296]"),
         "$.layers[0].data[5]: found 4294967296"},
        {LAYER("'width':3,'height':2,'data':[1,1,1,1,1,null]"), "$.layers[0].data[5]: found null"},
        {LAYER("'width':0,'height':2,'data':[]"), "$.layers[0].width: found 0"},
        {LAYER("'width':16384,'height':16384,'data':[]"), "16384 x 16384 cells, at most"},
        {LAYER("'width':3,'height':2,'x':1e9,'data':[1,1,1,1,1,1]"), "$.layers[0].x: found 1000000000"},
        {LAYER("'width':3,'height':2,'encoding':'xml','data':[]"),
         "encoding \"xml\", expected csv or base64"},
        {HEAD "'layers':{'a':1}}", "$.layers: expected an array"},
        {HEAD "'layers':[],'tilesets':{}}", "$.tilesets: expected an array"},
        {LAYERS("{'type':'group','layers':3}"), "$.layers[0].layers: expected an array"},
        {LAYERS("{'type':'objectgroup','objects':{}}"), "$.layers[0].objects: expected an array"},
        {LAYER("'width':3,'height':2,'chunks':true"), "$.layers[0].chunks: expected an array"},
        {LAYERS("7"), "$.layers[0]: expected a layer"},

        {BASE64("'data':[1]"), "layer \"g\": expected base64 text"},
        {BASE64("'data':'AQAAAAIAAAAAAAAAAgAAgAQAAAADAA=='"), "found 22 bytes, expected 24"},
        {BASE64("'data':'AQAAAAIAAAAAAAAAAgAAgAQAAAADAAAAAQAAAA=='"), "found 28 bytes, expected 24"},
        {BASE64("'data':'AQAAAAIAAAAAAAAAAgAAgAQAAAADA'"), "cut or damaged base64"},
        {BASE64("'data':'AQAAAAIAAAAAAAAAAgAAgAQ!AAADAAAA'"), "cut or damaged base64"},
        {BASE64("'data':'AQ==AAIAAAAAAAAAAgAAgAQAAAADAAAA'"), "cut or damaged base64"},
        {BASE64("'compression':'lzma','data':'AAAA'"), "compression \"lzma\", expected zlib, gzip or zstd"},

        {SPAWN("'x':1"), "$.layers[0].objects[0]: \"y\" is missing"},
        {SPAWN("'x':-1,'y':0"), "expected it inside the map of 3 x 2"},
        {SPAWN("'x':48,'y':0"), "spawn at 3,0"},
        {SPAWN("'x':0,'y':0,'width':49,'height':1"), "expected it inside the map"},
        {SPAWN("'x':0,'y':0,'properties':[{'name':'team','value':8}]"), "properties[0].value: found 8"},
        {SPAWN("'x':0,'y':0,'properties':[{'name':'count','value':1.5}]"),
         "found 1.5, expected a whole number"},
        {SPAWN("'x':0,'y':0,'properties':[{'name':'class','value':'boat'}]"),
         "found \"boat\", expected foot"},
        {SPAWN("'x':0,'y':0,'properties':[{'name':'radius','value':0.05}]"),
         "found 0.05, expected a number in 0.1..2"},
        {SPAWN("'x':0,'y':0,'properties':[{'name':'radius','value':2.001}]"),
         "found 2.001, expected a number in 0.1..2"},
        {SPAWN("'x':0,'y':0,'properties':[{'name':'speed','value':1e300}]"), "expected a number in 0.05..12"},
        {SPAWN("'x':0,'y':0,'properties':[{'name':'speed','value':null}]"),
         "found null, expected a number in 0.05..12"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fr_error error = {0};
        expect_refused(cases[i].text, load_text(NULL, cases[i].text, &error), &error, cases[i].message);
    }
}

static void test_bad_tiles(void **state)
{
    (void)state;
    static const struct {
        const char *tiles, *message;
    } cases[] = {
        {"{'id':5,'properties':[{'name':'cost','value':0}]}",
         "properties[0].value: tileset \"t\", tile 5: property \"cost\": found 0, expected a whole number in "
         "1..255"},
        {"{'id':5,'properties':[{'name':'cost','value':256}]}", "found 256"},
        {"{'id':5,'properties':[{'name':'cost','value':1.5}]}", "found 1.5"},
        {"{'id':5,'properties':[{'name':'cost','value':0.1}]}", "found 0.1, expected"},
        {"{'id':5,'properties':[{'name':'cost','value':null}]}", "property \"cost\": found null, expected"},
        {"{'id':5,'properties':[{'name':'cost','value':[1]}]}",
         "property \"cost\": found an array, expected"},
        {"{'id':5,'properties':[{'name':'cost','value':'3'}]}", "property \"cost\": found \"3\""},
        {"{'id':5,'properties':[{'name':'cost','value':true}]}", "property \"cost\": found true"},
        {"{'id':5,'properties':{'cost_wheels':-1}}", "tile 5: property \"cost_wheels\": found -1"},
        {"{'properties':[]}", "$.tilesets[0].tiles[0]: \"id\" is missing"},
        {"{'id':268435456}", "$.tilesets[0].tiles[0].id: found 268435456"},
        {"4", "$.tilesets[0].tiles[0]: expected a tile"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        fr_error error = {0};
        snprintf(
            text, sizeof text,
            HEAD
            "'layers':[],'tilesets':[{'firstgid':1,'name':'t','tilewidth':16,'tileheight':16,'tiles':[%s]}]}",
            cases[i].tiles);
        expect_refused(cases[i].tiles, load_text(NULL, text, &error), &error, cases[i].message);
    }
}

static void test_compressed_data_of_wrong_length(void **state)
{
    (void)state;
    static const struct {
        const char *library, *compression, *data, *message;
    } cases[] = {
        {"zlib", "zlib", "eNpjZGBgYGKAACDdwAKkmYGYEYgBB1QAjg==", "found more, expected 24 bytes"},
        {"zlib", "zlib", "eNpjZGBgYGKAACDdwAKkmYE=", "cut short"},
        {"zlib", "zlib", "eNpjZGBgYGKAACDdwAKkmYEYAAUcAI4=", "damaged compressed data"},
        {"zlib", "zlib", "eNpjZGBgYGKAACDdwAKkmYEYAAUcAI14eA==", "found more, expected 24 bytes"},
        {"zlib", "gzip", "AAAA", "damaged compressed data"},
        {"zstd", "zstd", "KLUv/QBorQAAwkEECPA5/y8npUwp6mpUTaGqQj0A", "expected 24 bytes"},
        {"zstd", "zstd", "KLUv/QBopQAAggEECPA5/y8nZZIp", "expected 24 bytes"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        fr_error error = {0};
        bool is_built_in = strstr(fr_mapio_libraries(), cases[i].library) != NULL;
        snprintf(text, sizeof text, BASE64("'compression':'%s','data':'%s'"), cases[i].compression,
                 cases[i].data);
        expect_refused(cases[i].data, load_text(NULL, text, &error), &error,
                       is_built_in ? cases[i].message : "which is not built in");
    }
}

static void test_external_tilesets_that_are_none(void **state)
{
    (void)state;
#define TSX "<tileset name='t' tilewidth='16' tileheight='16'>"
    static const struct {
        const char *text, *message;
        bool is_xml;
    } cases[] = {
        {"", "maps/x: not a tileset, expected JSON or XML", false},
        {"|||garbage", "maps/x: not a tileset, expected JSON or XML", false},
        {"{'type':'map','layers':[]}", "maps/x: $: a map, expected a tileset", false},
        {"{'tilewidth':16", "maps/x: 1:15: not valid JSON", false},
        {"{'tilewidth':16,'tileheight':0,'image':'a.png'}", "tileset \"\": tiles of 16 x 0 pixels", false},
        {"<map/>", "maps/x: 1:1: <map>, expected <tileset>", true},
        {"<tileset/>", "maps/x: 1:1: tileset without tilewidth", true},
        {TSX "\n<tile/></tileset>", "maps/x: 2:1: tile without", true},
        {TSX "\n <tile id='5'><properties><property name='cost' value='3'/></properties></tile></tileset>",
         "tileset \"t\", tile 5: property \"cost\": found \"3\"", true},
        {TSX "<image source='a.png' width='-4'/></tileset>", "width=\"-4\", expected a whole number", true},
        {TSX "<tile id='1'>", "maps/x: 1:", true},
        {"<!DOCTYPE t [<!ENTITY a 'aaaa'>]>" TSX "</tileset>", "entity declaration", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const memory_file files[] = {{"maps/x", cases[i].text}, {NULL, NULL}};
        fr_error error = {0};
        bool is_lacking = cases[i].is_xml && strstr(fr_mapio_libraries(), "expat") == NULL;
        fr_map *map = load_text(files, HEAD "'layers':[],'tilesets':[{'firstgid':1,'source':'x'}]}", &error);
        expect_refused(cases[i].text, map, &error, is_lacking ? "needs expat" : cases[i].message);
    }
}

/* What each file in tests/bad is refused for. */
static const struct {
    const char *name, *message;
} bad_files[] = {
    {"cost-zero.tmj", "tileset \"t\", tile 1: property \"cost\": found 0, expected a whole number in 1..255"},
    {"cut.tmj", "not valid JSON: the file ends too early"},
    {"data-short.tmj", "$.layers[0].data: layer \"ground\": found 5 numbers, expected 3 x 2 = 6"},
    {"field-missing.scen", ": 2:1: expected bucket, map, width"},
    {"gid-negative.tmj", "$.layers[0].data[2]: found -1"},
    {"hexagonal.tmj", "$.orientation: hexagonal maps are not supported"},
    {"letter.map", ": 5:2: found 'x', expected one of . G S @ O T W"},
    {"row-short.map", ": 6:3: found a row of 2 cells, expected 3"},
    {"row-long.map", ": 5:4: found a row of 4 cells, expected 3"},
    {"rows-few.map", ": 7:1: found a row of 0 cells, expected 3"},
    {"size-fraction.tmj", "$.height: found 2.5"},
    {"size-huge.tmj", "$.width: found 1000000000, expected a whole number in 1..16384"},
    {"size-zero.tmj", "$.width: found 0"},
    {"spawn-outside.tmj", "$.layers[1].objects[0]: spawn at 3,0"},
    {"tileset-missing.tmj", "tileset tests/bad/nowhere/gone.tsj: cannot be opened"},
    {"tileset-none.tmj", "layer \"ground\" has tiles, but the map no tileset"},
    {"tileset-not-map.tmj", "$: a tileset, not a map"},
};

static const char *message_of(const char *name)
{
    for (size_t i = 0; i < sizeof bad_files / sizeof *bad_files; i++) {
        if (strcmp(bad_files[i].name, name) == 0) {
            return bad_files[i].message;
        }
    }
    fail_msg("tests/bad/%s: say in bad_files what it is refused for", name);
    return "";
}

static void test_bad_files(void **state)
{
    (void)state;
    fr_io io = fr_stdio_io("test");
    size_t seen = 0;
    DIR *folder = opendir("tests/bad");
    assert_non_null(folder);
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        if (entry->d_name[0] == '.') {
            continue;
        }
        char path[512];
        snprintf(path, sizeof path, "tests/bad/%s", entry->d_name);
        fr_error error = {0};
        fr_map *map = NULL;
        if (strstr(path, ".scen") != NULL) {
            fr_scen_line *lines = NULL;
            int32_t count = 0;
            assert_int_not_equal(fr_scen_load(&io, path, &lines, &count, &error), FR_OK);
            assert_null(lines);
        } else {
            map = fr_map_load(&io, path, &error);
        }
        expect_refused(path, map, &error, message_of(entry->d_name));
        seen++;
    }
    closedir(folder);
    assert_int_equal(seen, sizeof bad_files / sizeof *bad_files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused_maps),
        cmocka_unit_test(test_bad_tiles),
        cmocka_unit_test(test_compressed_data_of_wrong_length),
        cmocka_unit_test(test_external_tilesets_that_are_none),
        cmocka_unit_test(test_bad_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

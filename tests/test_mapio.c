/* What a Tiled map comes to: costs, terrain, layers, tilesets, spawns, warnings. Maps are 3 x 2 unless they
 * must be otherwise; test_mapio_bad.c has what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "memory_io.h"

/* gid 1 says nothing, 2 costs 2, 3 costs 3, 4 is a wall, 5 says nothing. */
#define TILE(id, properties) "{'id':" id ",'properties':[" properties "]}"
#define COST(value)          "{'name':'cost','type':'int','value':" value "}"
#define SHEET(first, name, tiles)                                                                            \
    "{'firstgid':" first ",'name':'" name "','tilewidth':16,'tileheight':16,'tilecount':5,'columns':5,"      \
    "'image':'t.png','tiles':[" tiles "]}"
#define TILES       SHEET("1", "t", TILE("1", COST("2")) "," TILE("2", COST("3")) "," TILE("3", COST("255")))
#define HEAD        "{'type':'map','width':3,'height':2,'tilewidth':16,'tileheight':16,"
#define MAP(layers) HEAD "'tilesets':[" TILES "],'layers':[" layers "]}"
#define LAYER(name, extra, data)                                                                             \
    "{'type':'tilelayer','name':'" name "','width':3,'height':2," extra "'data':[" data "]}"

static const memory_file pictures[] = {{"maps/t.png", "picture"}, {NULL, NULL}};

static fr_map *load_good(const memory_file *files, const char *text)
{
    fr_error error = {0};
    fr_map *map = load_text(files, text, &error);
    if (map == NULL) {
        fail_msg("%s\n%s", error.message, text);
    }
    return map;
}

static void expect_warnings(const fr_map *map, int count, const char *part)
{
    for (int i = 0; i < map->warning_count && map->warning_count != count; i++) {
        print_message("warning: %s\n", map->warnings[i]);
    }
    assert_int_equal(map->warning_count, count);
    if (count > 0 && strstr(map->warnings[0], part) == NULL) {
        fail_msg("found warning \"%s\", expected \"%s\" in it", map->warnings[0], part);
    }
}

static void expect_foot(const char *text, const char *picture)
{
    fr_map *map = load_good(pictures, text);
    assert_true(costs_are(map, FR_CLASS_FOOT, picture));
    assert_true(costs_are(map, FR_CLASS_AIR, "111\n111\n"));
    expect_warnings(map, 0, "");
    fr_map_destroy(map);
}

static void test_layers_and_costs(void **state)
{
    (void)state;
    /* The topmost visible tile that states a cost wins; tiles without one are transparent. */
    expect_foot(MAP(LAYER("a", "", "2,2,2,4,4,0") "," LAYER("b", "", "1,3,0,1,3,0")), "232\n#31\n");
    /* Hidden layers and groups state nothing. */
    expect_foot(MAP(LAYER("a", "", "2,2,2,0,0,0") "," LAYER("b", "'visible':false,", "4,4,4,4,4,4")),
                "222\n111\n");
    expect_foot(MAP("{'type':'group','visible':false,'layers':[{'type':'group','layers':[" LAYER(
                    "a", "'visible':true,", "4,4,4,4,4,4") "]}]}"
                                                           "," LAYER("b", "", "2,0,0,0,0,0")),
                "211\n111\n");
    /* Collision layers close every cell with a tile, seen or not, below or above. */
    expect_foot(MAP(LAYER("Walls", "'visible':false,", "1,0,0,0,0,5") "," LAYER("b", "", "2,2,0,0,0,2")),
                "#21\n11#\n");
    expect_foot(
        MAP(LAYER("x", "'properties':[{'name':'obstacles','type':'bool','value':true}],", "0,1,0,0,0,0")),
        "1#1\n111\n");
    expect_foot(
        MAP(LAYER("x", "'properties':[{'name':'obstacles','type':'bool','value':false}],", "0,1,0,0,0,0")),
        "111\n111\n");
    expect_foot(MAP(LAYER("my walls", "", "0,1,0,0,0,0")), "111\n111\n");
    /* Flipped tiles are the same tiles. */
    expect_foot(MAP(LAYER("a", "", "2147483652,1073741828,536870916,3758096388,268435460,2147483648")),
                "###\n##1\n");
    expect_foot(HEAD "'properties':[{'name':'empty_is_wall','type':'bool','value':true}],'tilesets':[" TILES
                     "],'layers':[" LAYER("a", "", "1,0,2,0,0,0") "," LAYER("b", "'visible':false,",
                                                                            "0,0,0,1,0,0") "]}",
                "1#2\n1##\n");
}

static void test_properties_to_costs(void **state)
{
    (void)state;
    static const struct {
        const char *properties;
        const char *costs; /* foot, wheels, hover, air */
    } cases[] = {
        {"", "1111"},
        {"{'name':'cost','value':7}", "7771"},
        {"{'name':'cost','type':'float','value':4.0}", "4441"},
        {"{'name':'cost','value':3},{'name':'cost_hover','value':1}", "3311"},
        {"{'name':'cost_wheels','value':255},{'name':'cost','value':2}", "2#21"},
        {"{'name':'cost_air','value':9}", "1111"},
        {"{'name':'cost_gold','value':'x'}", "1111"},
        {"{'name':'collides','value':true}", "###1"},
        {"{'name':'collision','value':true}", "###1"},
        {"{'name':'solid','value':true}", "###1"},
        {"{'name':'blocked','value':true}", "###1"},
        {"{'name':'wall','value':true}", "###1"},
        {"{'name':'passable','value':false}", "###1"},
        {"{'name':'walkable','value':false}", "###1"},
        {"{'name':'collides','value':false}", "1111"},
        {"{'name':'passable','value':true}", "1111"},
        {"{'name':'solid','value':'true'}", "1111"},
        {"{'name':'cost','value':2},{'name':'solid','value':true}", "2221"},
        {"{'name':'cost_foot','value':5},{'name':'solid','value':true}", "5##1"},
        {"{'name':'Cost','value':5}", "1111"},
        {"{'value':5}, 3, {'name':'cost','value':6}", "6661"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024], picture[8];
        snprintf(
            text, sizeof text,
            "{'width':1,'height':1,'tilewidth':8,'tileheight':8,'tilesets':[{'firstgid':1,'tilewidth':8,"
            "'tileheight':8,'tiles':[{'id':0,'properties':[%s]}]}],'layers':[{'type':'tilelayer','name':'a',"
            "'width':1,'height':1,'data':[1]}]}",
            cases[i].properties);
        fr_map *map = load_good(NULL, text);
        for (int c = 0; c < FR_CLASS_COUNT; c++) {
            snprintf(picture, sizeof picture, "%c\n", cases[i].costs[c]);
            if (!costs_are(map, (fr_class)c, picture)) {
                fail_msg("%s", cases[i].properties);
            }
        }
        fr_map_destroy(map);
    }
}

static void test_nav_scale(void **state)
{
    (void)state;
    static const struct {
        const char *value;
        int32_t shift;
    } cases[] = {{"0.5", -1}, {"1", 0}, {"1.0", 0}, {"2", 1}, {"4", 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        snprintf(text, sizeof text, HEAD "'properties':[{'name':'nav_scale','value':%s}],'layers':[]}",
                 cases[i].value);
        fr_map *map = load_good(pictures, text);
        assert_int_equal(map->nav_shift, cases[i].shift);
        assert_int_equal(map->grid.width, 3); /* the map stays as it is */
        fr_map_destroy(map);
    }
}

static void test_equal_classes_share(void **state)
{
    (void)state;
    fr_map *map = load_good(pictures, MAP(LAYER("a", "", "2,2,2,4,4,0")));
    assert_ptr_equal(map->costs[FR_CLASS_FOOT], map->costs[FR_CLASS_WHEELS]);
    assert_ptr_equal(map->costs[FR_CLASS_FOOT], map->costs[FR_CLASS_HOVER]);
    fr_map_destroy(map);
    map = load_good(
        pictures,
        HEAD "'tilesets':[" SHEET("1", "t", TILE("0", "{'name':'cost_foot','value':9}")) "],'layers':[" LAYER(
            "a", "", "1,1,1,0,0,0") "]}");
    assert_ptr_not_equal(map->costs[FR_CLASS_FOOT], map->costs[FR_CLASS_WHEELS]);
    assert_ptr_equal(map->costs[FR_CLASS_WHEELS], map->costs[FR_CLASS_HOVER]);
    fr_map_destroy(map);
}

static void test_encodings(void **state)
{
    (void)state;
    static const struct {
        const char *library, *compression, *data;
    } cases[] = {
        {NULL, "", "AQAAAAIAAAAAAAAAAgAAgAQAAAADAAAA"},
        {NULL, "", "AQAAAAIAAAAA\\nAAAAAgAAgAQA AAADAAAA"},
        {"zlib", "zlib", "eNpjZGBgYGKAACDdwAKkmYEYAAUcAI0="},
        {"zlib", "gzip", "H4sIAAAAAAACA2NkYGBgYoAAIN3AAqSZgRgAT+a79BgAAAA="},
        {"zstd", "zstd", "KLUv/QBopQAAggEECPA5/y8nZZIpalRNV1VXEQA="},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2048];
        fr_error error = {0};
        snprintf(text, sizeof text,
                 HEAD "'tilesets':[" TILES
                      "],'layers':[{'type':'tilelayer','name':'a','width':3,'height':2,'encoding':'base64',"
                      "'compression':'%s','data':'%s'}]}",
                 cases[i].compression, cases[i].data);
        fr_map *map = load_text(pictures, text, &error);
        if (cases[i].library != NULL && strstr(fr_mapio_libraries(), cases[i].library) == NULL) {
            assert_null(map);
            assert_non_null(strstr(error.message, cases[i].library));
            continue;
        }
        assert_string_equal(error.message, "");
        assert_true(costs_are(map, FR_CLASS_FOOT, "121\n2#3\n"));
        assert_int_equal(map->layers[0].gids[3], 0x80000002u);
        fr_map_destroy(map);
    }
}

static void test_layers_of_another_size(void **state)
{
    (void)state;
    fr_map *map =
        load_good(pictures, MAP("{'type':'tilelayer','name':'small','width':2,'height':1,'x':1,'y':1,"
                                "'data':[2,3]}"));
    assert_true(costs_are(map, FR_CLASS_FOOT, "111\n123\n"));
    expect_warnings(map, 0, "");
    fr_map_destroy(map);
    map = load_good(pictures, MAP("{'type':'tilelayer','name':'large','width':4,'height':2,'x':-1,"
                                  "'data':[4,2,3,4, 0,2,2,2]}"));
    assert_true(costs_are(map, FR_CLASS_FOOT, "23#\n222\n"));
    expect_warnings(map, 1, "layer \"large\" reaches beyond the map");
    fr_map_destroy(map);
}

static void test_infinite_maps(void **state)
{
    (void)state;
    static const char text[] =
        "{'width':30,'height':20,'infinite':true,'tilewidth':16,'tileheight':16,'tilesets':[" TILES
        "],'layers':[{'type':'tilelayer','name':'a','width':30,'height':20,'chunks':["
        "{'x':-2,'y':-1,'width':2,'height':2,'data':[2,3,4,2]},{'x':0,'y':0,'width':1,'height':1,'data':[3]}]"
        "},"
        "{'type':'objectgroup','objects':[{'type':'spawn','x':-8,'y':8}]}]}";
    fr_map *map = load_good(pictures, text);
    assert_true(costs_are(map, FR_CLASS_FOOT, "231\n#23\n"));
    assert_true(map->spawns[0].x == 1.5f && map->spawns[0].y == 1.5f);
    fr_map_destroy(map);
}

static void test_gids_of_no_tile(void **state)
{
    (void)state;
    /* Tilesets at 3 and 10 with five tiles each; 12 is the tenth tile of the first one no more. */
    static const char text[] = HEAD "'tilesets':[" SHEET("10", "late", TILE("0", COST("9"))) "," SHEET(
        "3", "early",
        TILE("0", COST("2"))) "],'layers':[" LAYER("g", "", "1,2,3,9,9,10") "," LAYER("h", "",
                                                                                      "0,0,0,0,16,0") "]}";
    fr_map *map = load_good(pictures, text);
    assert_true(costs_are(map, FR_CLASS_FOOT, "112\n119\n"));
    expect_warnings(map, 3, "layer \"g\", cell 0,0: gid 1 is below every tileset");
    assert_non_null(
        strstr(map->warnings[1], "layer \"g\", cell 0,1: gid 9: tileset \"early\" has no tile 6"));
    assert_non_null(
        strstr(map->warnings[2], "layer \"h\", cell 1,1: gid 16: tileset \"late\" has no tile 6"));
    assert_int_equal(map->tilesets[0].first_gid, 3);
    fr_map_destroy(map);
}

static void test_image_collections_have_holes(void **state)
{
    (void)state;
    static const char text[] = HEAD "'tilesets':[{'firstgid':1,'name':'c','tilewidth':16,'tileheight':16,'"
                                    "tilecount':2,'columns':0,'tiles':["
                                    "{'id':40,'image':'art\\\\b.png','properties':[" COST(
                                        "4") "]},{'id':7,'image':'a.png'}]}],"
                                             "'layers':[" LAYER("a", "", "41,8,0,2,0,0") "]}";
    static const memory_file files[] = {{"maps/art/b.png", ""}, {"maps/a.png", ""}, {NULL, NULL}};
    fr_map *map = load_good(files, text);
    assert_true(costs_are(map, FR_CLASS_FOOT, "411\n111\n"));
    expect_warnings(map, 1, "gid 2: tileset \"c\" has no tile 1");
    assert_int_equal(map->tilesets[0].tile_image_count, 2);
    assert_int_equal(map->tilesets[0].tile_images[0].id, 7);
    assert_string_equal(map->tilesets[0].tile_images[1].path, "maps/art/b.png");
    fr_map_destroy(map);
}

static void test_old_forms(void **state)
{
    (void)state;
    static const char *const tilesets[] = {
        "'tileproperties':{'1':{'cost':2},'3':{'passable':false}},'tilepropertytypes':{'1':{'cost':'int'}}",
        "'tiles':{'1':{'properties':{'cost':2}},'3':{'properties':[{'name':'wall','value':true}]}}",
        "'tileproperties':{'1':{'cost':8},'3':{'wall':true}},'tiles':[" TILE("1", COST("2")) "]",
    };
    for (size_t i = 0; i < sizeof tilesets / sizeof *tilesets; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 HEAD
                 "'properties':{'empty_is_wall':true},'propertytypes':{'empty_is_wall':'bool'},'tilesets':["
                 "{'firstgid':1,'name':'t','tilewidth':16,'tileheight':16,'image':'t.png','imagewidth':64,"
                 "'imageheight':16,%s}],'layers':[" LAYER("a", "", "1,2,4,0,0,0") "]}",
                 tilesets[i]);
        fr_map *map = load_good(pictures, text);
        assert_true(costs_are(map, FR_CLASS_FOOT, "12#\n###\n"));
        expect_warnings(map, 0, "");
        assert_int_equal(map->tilesets[0].tile_count, 4);
        assert_int_equal(map->tilesets[0].columns, 4);
        fr_map_destroy(map);
    }
}

#define TSX_HEAD                                                                                             \
    "<?xml version='1.0' encoding='UTF-8'?>\n<tileset name='t' tilewidth='16' tileheight='16' "              \
    "tilecount='5' columns='5'>"

static void test_external_tilesets(void **state)
{
    (void)state;
    static const struct {
        const char *source, *path, *text;
        bool is_xml;
    } cases[] = {
        {"../art/t.tsj", "maps/../art/t.tsj",
         "{'type':'tileset','tilewidth':16,'tileheight':16,'tilecount':5,'image':"
         "'pic/t.png','tiles':[" TILE("1", COST("2")) "]}",
         false},
        {"..\\\\art\\\\t.xml", "maps/../art/t.xml",
         "\n {'tilewidth':16,'tileheight':16,'tilecount':5,'image':"
         "'pic/t.png','tiles':[" TILE("1", COST("2")) "]}",
         false},
        {"../art/t.json", "maps/../art/t.json",
         TSX_HEAD
         "<properties><property name='cost' type='int' value='0'/></properties><image source='pic/t.png' "
         "width='80' height='16'/><tile id='1'><properties><property name='cost' type='int' value='2'/>"
         "</properties><animation><frame tileid='0' duration='9'/></animation></tile></tileset>",
         true},
        {"/abs/t.tsx", "/abs/t.tsx",
         TSX_HEAD "<image source='/maps/../art/pic/t.png'/><tile id='1'><properties>"
                  "<property name='cost' type='float' value='2'/><property name='solid' "
                  "value='true'/></properties></tile></tileset>",
         true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const memory_file files[] = {{cases[i].path, cases[i].text},
                                     {"maps/../art/pic/t.png", ""},
                                     {"/maps/../art/pic/t.png", ""},
                                     {NULL, NULL}};
        char text[512];
        fr_error error = {0};
        snprintf(text, sizeof text,
                 HEAD
                 "'tilesets':[{'firstgid':1,'source':'%s'}],'layers':[" LAYER("a", "", "2,1,0,2,0,0") "]}",
                 cases[i].source);
        fr_map *map = load_text(files, text, &error);
        if (cases[i].is_xml && strstr(fr_mapio_libraries(), "expat") == NULL) {
            assert_null(map);
            assert_non_null(strstr(error.message, "needs expat"));
            continue;
        }
        assert_string_equal(error.message, "");
        assert_true(costs_are(map, FR_CLASS_FOOT, "211\n211\n"));
        expect_warnings(map, 0, "");
        fr_map_destroy(map);
    }
}

static void test_terrain(void **state)
{
    (void)state;
#define KIND(name) "{'name':'terrain','type':'string','value':'" name "'}"
    fr_map *map = load_good(
        pictures,
        HEAD "'tilesets':[" SHEET(
            "1", "t",
            TILE("0", KIND("road")) "," TILE("1", KIND("water") "," COST("255")) "," TILE(
                "2",
                KIND("lava")) "," TILE("3",
                                       COST("9"))) "],'layers':[" LAYER("a", "",
                                                                        "1,2,3,4,1,0") "," LAYER("collision",
                                                                                                 "",
                                                                                                 "0,0,0,0,1,"
                                                                                                 "0") "]}");
    static const uint8_t expected[] = {FR_TERRAIN_ROAD,   FR_TERRAIN_WATER, FR_TERRAIN_GRASS,
                                       FR_TERRAIN_FOREST, FR_TERRAIN_ROCK,  FR_TERRAIN_GRASS};
    assert_memory_equal(map->terrain, expected, sizeof expected);
    assert_true(map->has_terrain);
    expect_warnings(map, 1, "tileset \"t\": unknown terrain \"lava\"");
    fr_map_destroy(map);
    map = load_good(pictures, MAP(LAYER("a", "", "2,3,4,0,0,0")));
    assert_false(map->has_terrain);
    assert_int_equal(map->terrain[0], FR_TERRAIN_SAND);
    assert_int_equal(map->terrain[2], FR_TERRAIN_ROCK);
    fr_map_destroy(map);
}

static void test_spawns(void **state)
{
    (void)state;
    fr_map *map = load_good(
        pictures,
        MAP("{'type':'objectgroup','name':'o','visible':false,'objects':["
            "{'type':'spawn','x':8,'y':24,'point':true},"
            "{'class':'spawn','x':0,'y':0,'width':48,'height':32,'properties':[{'name':'count','value':9},"
            "{'name':'team','value':7},{'name':'class','value':'hover'},{'name':'radius','value':0.1},"
            "{'name':'speed','value':12}]},"
            "{'type':'tree','x':-100,'y':1e9,'gid':2147486046},"
            "{'type':'spawn','gid':3,'x':16,'y':32,'width':16,'height':16},"
            "{'template':'spawn.tx','x':1,'y':1}]}"));
    assert_int_equal(map->spawn_count, 3);
    const fr_spawn *s = map->spawns;
    assert_true(s[0].x == 0.5f && s[0].y == 1.5f && s[0].width == 0.0f && s[0].height == 0.0f);
    assert_int_equal(s[0].count, -1);
    assert_int_equal(s[0].movement_class, FR_CLASS_FOOT);
    assert_true(s[0].radius == FR_RADIUS_DEFAULT && s[0].speed == FR_SPEED_DEFAULT);
    assert_true(s[1].width == 3.0f && s[1].height == 2.0f);
    assert_int_equal(s[1].count, 9);
    assert_int_equal(s[1].team, 7);
    assert_int_equal(s[1].movement_class, FR_CLASS_HOVER);
    assert_true(s[1].radius == FR_RADIUS_MIN && s[1].speed == FR_SPEED_MAX);
    assert_true(s[2].x == 1.0f && s[2].y == 1.0f);
    expect_warnings(map, 2, "layer \"o\": 1 objects made from templates are skipped");
    fr_map_destroy(map);
}

static void test_notes_about_the_map(void **state)
{
    (void)state;
    static const struct {
        const char *text, *warning;
    } cases[] = {
        {HEAD "'orientation':'isometric','tilesets':[" TILES
              "],'layers':[" LAYER("a", "", "1,1,1,1,1,1") "]}",
         "isometric"},
        {HEAD "'tilesets':[],'layers':[]}", "no visible tile layer"},
        {MAP(LAYER("a", "", "1,1,1,1,1,1") ",{'type':'hologram','name':'x'}"),
         "layer \"x\" of unknown type \"hologram\" is skipped"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fr_map *map = load_good(pictures, cases[i].text);
        expect_warnings(map, 1, cases[i].warning);
        fr_map_destroy(map);
    }
    fr_map *map = load_good(NULL, MAP(LAYER("a", "", "1,1,1,1,1,1")));
    expect_warnings(map, 1, "tileset \"t\": image maps/t.png cannot be read");
    fr_map_destroy(map);
}

static void test_drawing_data(void **state)
{
    (void)state;
    fr_map *map = load_good(pictures, MAP("{'type':'group','opacity':0.5,'layers':[" LAYER(
                                          "a", "'opacity':0.5,",
                                          "1,2,3,1,2,3") "]},"
                                                         "{'type':'imagelayer','name':'sky'}," LAYER(
                                                             "hidden", "'visible':false,", "1,1,1,1,1,1")));
    assert_int_equal(map->layer_count, 1);
    assert_string_equal(map->layers[0].name, "a");
    assert_true(map->layers[0].opacity == 0.25f);
    assert_string_equal(map->tilesets[0].image, "maps/t.png");
    assert_string_equal(map->name, "test");
    fr_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layers_and_costs),
        cmocka_unit_test(test_properties_to_costs),
        cmocka_unit_test(test_nav_scale),
        cmocka_unit_test(test_equal_classes_share),
        cmocka_unit_test(test_encodings),
        cmocka_unit_test(test_layers_of_another_size),
        cmocka_unit_test(test_infinite_maps),
        cmocka_unit_test(test_gids_of_no_tile),
        cmocka_unit_test(test_image_collections_have_holes),
        cmocka_unit_test(test_old_forms),
        cmocka_unit_test(test_external_tilesets),
        cmocka_unit_test(test_terrain),
        cmocka_unit_test(test_spawns),
        cmocka_unit_test(test_notes_about_the_map),
        cmocka_unit_test(test_drawing_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

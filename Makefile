# Freshet. GNU make 3.81 or newer. `make help` lists the targets.

PREFIX ?= /usr/local
DESTDIR ?=
BINDIR = $(PREFIX)/bin
DATADIR = $(PREFIX)/share/freshet
PKG_CONFIG ?= pkg-config
CC ?= cc
B ?= build

BUILD ?= release
EXTRA_CFLAGS ?=
EXTRA_LDFLAGS ?=

have = $(shell $(PKG_CONFIG) --exists $(1) 2>/dev/null && echo 1)
HAVE_IMAGE := $(call have,SDL2_image)
HAVE_ZLIB := $(call have,zlib)
HAVE_ZSTD := $(call have,libzstd)
HAVE_EXPAT := $(call have,expat)

WARNINGS = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wdouble-promotion -Wstrict-prototypes \
	-Wmissing-prototypes -Wvla -Wundef
# Contraction off: a fused multiply-add on one machine only would break the state hash.
COMMON = -std=c11 -D_POSIX_C_SOURCE=200809L -ffp-contract=off -fno-math-errno -fno-trapping-math -Isrc -MMD -MP $(WARNINGS)

ifeq ($(BUILD),release)
  MODE = -O3 -g
else ifeq ($(BUILD),debug)
  MODE = -O0 -g -DFR_DEBUG
else ifeq ($(BUILD),asan)
  MODE = -O1 -g -DFR_DEBUG -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
  MODE_LD = -fsanitize=address,undefined
else ifeq ($(BUILD),tsan)
  MODE = -O1 -g -DFR_DEBUG -fsanitize=thread
  MODE_LD = -fsanitize=thread
else
  $(error BUILD must be release, debug, asan or tsan)
endif

# Release programs land in build/ itself; the other kinds in a folder of their own.
ifeq ($(BUILD),release)
  OUT = $(B)
else
  OUT = $(B)/$(BUILD)
endif
OBJ = $(OUT)/obj

CJSON_CFLAGS := $(shell $(PKG_CONFIG) --cflags libcjson 2>/dev/null)
SDL_CFLAGS := $(shell $(PKG_CONFIG) --cflags sdl2 SDL2_ttf 2>/dev/null)
SDL_LIBS := $(shell $(PKG_CONFIG) --libs sdl2 SDL2_ttf 2>/dev/null)
LIB_LIBS := $(shell $(PKG_CONFIG) --libs libcjson 2>/dev/null) -lm
MAPIO_CFLAGS =
ifeq ($(HAVE_ZLIB),1)
  MAPIO_CFLAGS += -DFR_HAVE_ZLIB $(shell $(PKG_CONFIG) --cflags zlib)
  LIB_LIBS += $(shell $(PKG_CONFIG) --libs zlib)
endif
ifeq ($(HAVE_ZSTD),1)
  MAPIO_CFLAGS += -DFR_HAVE_ZSTD $(shell $(PKG_CONFIG) --cflags libzstd)
  LIB_LIBS += $(shell $(PKG_CONFIG) --libs libzstd)
endif
ifeq ($(HAVE_EXPAT),1)
  MAPIO_CFLAGS += -DFR_HAVE_EXPAT $(shell $(PKG_CONFIG) --cflags expat)
  LIB_LIBS += $(shell $(PKG_CONFIG) --libs expat)
endif
ifeq ($(HAVE_IMAGE),1)
  SDL_CFLAGS += -DFR_HAVE_IMAGE $(shell $(PKG_CONFIG) --cflags SDL2_image)
  SDL_LIBS += $(shell $(PKG_CONFIG) --libs SDL2_image)
endif

CFLAGS_ALL = $(COMMON) $(MODE) $(EXTRA_CFLAGS)
LDFLAGS_ALL = $(MODE_LD) $(EXTRA_LDFLAGS)

LIB_SRC = $(wildcard src/base/*.c src/grid/*.c src/mapio/*.c src/field/*.c src/crowd/*.c src/sim/*.c)
SIDE_SRC = $(wildcard src/files/*.c)
SDL_SRC = $(wildcard src/jobs/*.c src/view/*.c src/app/*.c)
APP_MAIN = src/app/main.c
LIB_OBJ = $(LIB_SRC:%.c=$(OBJ)/%.o)
SIDE_OBJ = $(SIDE_SRC:%.c=$(OBJ)/%.o)
POOL_OBJ = $(patsubst %.c,$(OBJ)/%.o,$(wildcard src/jobs/*.c))
VIEW_OBJ = $(patsubst %.c,$(OBJ)/%.o,$(wildcard src/view/*.c))
APP_OBJ = $(patsubst %.c,$(OBJ)/%.o,$(filter-out $(APP_MAIN),$(wildcard src/app/*.c)))
MAIN_OBJ = $(OBJ)/src/app/main.o
TOOLS_COMMON_OBJ = $(patsubst %.c,$(OBJ)/%.o,$(wildcard tools/common/*.c))
MAP_OBJ = $(patsubst %.c,$(OBJ)/%.o,$(wildcard tools/map/*.c))
BENCH_OBJ = $(patsubst %.c,$(OBJ)/%.o,$(wildcard tools/bench/*.c))

# All of it but the command, which is SDL's.
MOVEBENCH_OBJ = $(patsubst %.c,$(OBJ)/%.o,$(wildcard tools/bench/movebench_*.c))

LIB = $(OUT)/libfreshet.a
PROGRAMS = $(OUT)/freshet $(OUT)/freshet-field $(OUT)/freshet-bench $(OUT)/freshet-map
TEST_SRC = $(wildcard tests/test_*.c)
TESTS = $(TEST_SRC:tests/%.c=$(OUT)/tests/%)

# What users of the library may include: worlds and what goes into them, files, fields by themselves, and what
# these headers include. All others are the rooms' own.
PUBLIC = $(addprefix base/,buffer executor hash io json limits memory rng status vec2 version) \
	$(addprefix grid/,area cost grid map nav threat) $(addprefix mapio/,map_writer mapio) \
	$(addprefix field/,field field_service integrate regions way_out) $(addprefix crowd/,agents mechanisms) \
	$(addprefix sim/,command replay route scenario scorecard snapshot world)

NEEDED = sdl2 SDL2_ttf libcjson
QUIET_GOALS = help clean
ifneq ($(filter-out $(QUIET_GOALS),$(or $(MAKECMDGOALS),all)),)
  ifneq ($(shell $(PKG_CONFIG) --exists $(NEEDED) 2>/dev/null && echo ok),ok)
    $(error missing libraries: apt-get install pkg-config libsdl2-dev libsdl2-ttf-dev libcjson-dev)
  endif
endif

.PHONY: all lib run test check bench movebench maps install uninstall clean help layers

all: $(LIB) $(PROGRAMS)

lib: $(LIB)

help:
	@echo "make            programs and libfreshet.a into build/ (release, -O3)"
	@echo "make run        the game"
	@echo "make test       unit tests, then the end-to-end tests that this machine can run"
	@echo "make check      layers, format, warnings as errors with gcc and clang, one state hash, tests under ASan+UBSan and TSan"
	@echo "make bench      all benchmarks as JSON"
	@echo "make movebench  judges movement: all scenes, 27 starts, a table and build/movebench.json"
	@echo "make maps       writes the maps in maps/ anew from tools/make_*.c"
	@echo "make install    into \$$(DESTDIR)\$$(PREFIX); make uninstall takes it away"
	@echo "make clean      removes build/"
	@echo "BUILD=debug|asan|tsan builds into build/debug, build/asan, build/tsan"

$(LIB): $(LIB_OBJ)
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $(LIB_OBJ)

$(OBJ)/src/base/json.o: EXTRA = $(CJSON_CFLAGS)
$(OBJ)/src/mapio/%.o: EXTRA = $(MAPIO_CFLAGS)
$(OBJ)/src/jobs/%.o $(OBJ)/src/view/%.o $(OBJ)/src/app/%.o: EXTRA = $(SDL_CFLAGS)
$(OBJ)/src/files/%.o: EXTRA = -DFR_DATADIR='"$(DATADIR)"'
$(OBJ)/tools/%.o $(OBJ)/tests/%.o: EXTRA = $(SDL_CFLAGS)

$(OBJ)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) $(EXTRA) $(CFLAGS) -c -o $@ $<

$(OUT)/freshet: $(MAIN_OBJ) $(APP_OBJ) $(VIEW_OBJ) $(POOL_OBJ) $(SIDE_OBJ) $(LIB)
	$(CC) $(LDFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(SDL_LIBS) $(LIB_LIBS)

# No SDL: proof that the simulation library stands alone.
$(OUT)/freshet-field: $(OBJ)/tools/freshet_field.o $(TOOLS_COMMON_OBJ) $(SIDE_OBJ) $(LIB)
	$(CC) $(LDFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(LIB_LIBS)

$(OUT)/freshet-map: $(OBJ)/tools/freshet_map.o $(MAP_OBJ) $(TOOLS_COMMON_OBJ) $(SIDE_OBJ) $(LIB)
	$(CC) $(LDFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(LIB_LIBS)

$(OUT)/freshet-bench: $(OBJ)/tools/freshet_bench.o $(BENCH_OBJ) $(TOOLS_COMMON_OBJ) $(VIEW_OBJ) $(POOL_OBJ) $(SIDE_OBJ) $(LIB)
	$(CC) $(LDFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(SDL_LIBS) $(LIB_LIBS)

# Writes maps/; not part of `all`, because what it writes is committed.
$(OUT)/make_maps: $(patsubst %.c,$(OBJ)/%.o,$(wildcard tools/make_*.c)) $(TOOLS_COMMON_OBJ) $(SIDE_OBJ) $(LIB)
	$(CC) $(LDFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(LIB_LIBS)

# Specific patterns first: GNU make 3.81 takes the first that fits. Tests of lower floors link without SDL's video
# side, so that they can't reach upwards.
$(OUT)/tests/test_app%: $(OBJ)/tests/test_app%.o $(APP_OBJ) $(VIEW_OBJ) $(POOL_OBJ) $(SIDE_OBJ) $(LIB)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(SDL_LIBS) $(LIB_LIBS) -lcmocka

$(OUT)/tests/test_view%: $(OBJ)/tests/test_view%.o $(VIEW_OBJ) $(POOL_OBJ) $(SIDE_OBJ) $(LIB)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(SDL_LIBS) $(LIB_LIBS) -lcmocka

$(OUT)/tests/test_tools%: $(OBJ)/tests/test_tools%.o $(TOOLS_COMMON_OBJ) $(MOVEBENCH_OBJ) $(SIDE_OBJ) $(LIB)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(LIB_LIBS) -lcmocka

$(OUT)/tests/%: $(OBJ)/tests/%.o $(POOL_OBJ) $(SIDE_OBJ) $(LIB)
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(SDL_LIBS) $(LIB_LIBS) -lcmocka

run: all
	$(OUT)/freshet

# Else make takes them for intermediate and deletes them after the summary, in a line of 5 KB.
.SECONDARY: $(TEST_SRC:%.c=$(OBJ)/%.o)

tests: $(TESTS)

test: all $(TESTS)
	@tests/run.sh $(OUT)

layers:
	@tools/check_layers.sh

check:
	@tools/check.sh

maps: $(OUT)/make_maps
	$(OUT)/make_maps maps

bench: all
	$(OUT)/freshet-bench all --json

movebench: all
	$(OUT)/freshet-bench movebench --out $(OUT)/movebench.json

install: all
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(DATADIR)/fonts $(DESTDIR)$(DATADIR)/maps/scenarios \
		$(DESTDIR)$(PREFIX)/lib $(DESTDIR)$(PREFIX)/share/doc/freshet
	install -m 755 $(PROGRAMS) $(DESTDIR)$(BINDIR)
	install -m 644 $(LIB) $(DESTDIR)$(PREFIX)/lib
	for header in $(PUBLIC); do \
		install -d $(DESTDIR)$(PREFIX)/include/freshet/$${header%/*} && \
		install -m 644 src/$$header.h $(DESTDIR)$(PREFIX)/include/freshet/$${header%/*} || exit; done
	install -m 644 assets/fonts/* $(DESTDIR)$(DATADIR)/fonts
	install -m 644 $(wildcard maps/*.tmj maps/*.tsj maps/*.bmp) $(DESTDIR)$(DATADIR)/maps
	install -m 644 $(wildcard maps/scenarios/*.*) $(DESTDIR)$(DATADIR)/maps/scenarios
	install -m 644 README.md LICENSE $(DESTDIR)$(PREFIX)/share/doc/freshet

uninstall:
	rm -f $(addprefix $(DESTDIR)$(BINDIR)/,$(notdir $(PROGRAMS))) $(DESTDIR)$(PREFIX)/lib/libfreshet.a
	rm -rf $(DESTDIR)$(DATADIR) $(DESTDIR)$(PREFIX)/include/freshet $(DESTDIR)$(PREFIX)/share/doc/freshet

clean:
	rm -rf build

-include $(shell find $(OBJ) -name '*.d' 2>/dev/null)

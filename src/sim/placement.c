/* placement: see the header. Discs are kept in a bucket grid with chains, so that a try costs the same
 * however many stand already. */
#include "sim/placement.h"

#include <math.h>
#include <stdlib.h>

#include "base/assert.h"
#include "base/memory.h"

/* The search grid may grow its buckets beyond what the radius asks for, to stay below this number of them. */
#define BUCKETS_MAX (1 << 20)

#define NO_DISC (-1)

typedef struct disc {
    double x, y, radius;
    int32_t next; /* in the bucket's chain */
} disc;

struct fr_placement {
    const fr_map *map;
    fr_walls walls[FR_CLASS_COUNT];
    double bucket_side; /* cells; no two discs further apart than one bucket can touch */
    int32_t buckets_x, buckets_y;
    int32_t *first; /* [buckets_x * buckets_y] */
    disc *discs;
    int32_t disc_count, disc_capacity;
};

fr_placement *fr_placement_create(const fr_map *map, double largest_radius)
{
    fr_placement *placement = fr_alloc(1, sizeof *placement);
    placement->map = map;
    double side = 2.0 * FR_PLACEMENT_SPACING * largest_radius;
    double least = sqrt((double)fr_grid_count(map->grid) / BUCKETS_MAX);
    placement->bucket_side = side > least ? side : least;
    placement->buckets_x = (int32_t)(map->grid.width / placement->bucket_side) + 1;
    placement->buckets_y = (int32_t)(map->grid.height / placement->bucket_side) + 1;
    size_t count = (size_t)placement->buckets_x * (size_t)placement->buckets_y;
    placement->first = fr_alloc_raw(count, sizeof *placement->first);
    for (size_t i = 0; i < count; i++) {
        placement->first[i] = NO_DISC;
    }
    return placement;
}

void fr_placement_destroy(fr_placement *placement)
{
    if (placement == NULL) {
        return;
    }
    for (int c = 0; c < FR_CLASS_COUNT; c++) {
        fr_walls_fini(&placement->walls[c]);
    }
    fr_free(placement->first);
    fr_free(placement->discs);
    fr_free(placement);
}

const fr_walls *fr_placement_walls(fr_placement *placement, fr_class movement_class)
{
    /* Classes that share their costs share their walls. */
    int shared = 0;
    while (placement->map->costs[shared] != placement->map->costs[movement_class]) {
        shared++;
    }
    fr_walls *walls = &placement->walls[shared];
    if (walls->region == NULL) {
        fr_walls_init(walls, placement->map->grid);
        fr_walls_update(walls, placement->map->costs[shared]);
    }
    return walls;
}

static int32_t bucket_coordinate(double cells, double side, int32_t count)
{
    int32_t at = (int32_t)(cells / side);
    return at < 0 ? 0 : at >= count ? count - 1 : at;
}

void fr_placement_add(fr_placement *placement, fr_position position, double radius)
{
    if (placement->disc_count == placement->disc_capacity) {
        placement->disc_capacity = placement->disc_capacity == 0 ? 256 : placement->disc_capacity * 2;
        placement->discs =
            fr_realloc(placement->discs, (size_t)placement->disc_capacity, sizeof *placement->discs);
    }
    double x = fr_cells(position.x), y = fr_cells(position.y);
    int32_t bucket =
        bucket_coordinate(y, placement->bucket_side, placement->buckets_y) * placement->buckets_x +
        bucket_coordinate(x, placement->bucket_side, placement->buckets_x);
    placement->discs[placement->disc_count] = (disc){x, y, radius, placement->first[bucket]};
    placement->first[bucket] = placement->disc_count++;
}

static bool is_apart(const fr_placement *placement, fr_position position, double radius)
{
    double x = fr_cells(position.x), y = fr_cells(position.y);
    int32_t bx = bucket_coordinate(x, placement->bucket_side, placement->buckets_x);
    int32_t by = bucket_coordinate(y, placement->bucket_side, placement->buckets_y);
    for (int32_t cy = by > 0 ? by - 1 : 0; cy <= by + 1 && cy < placement->buckets_y; cy++) {
        for (int32_t cx = bx > 0 ? bx - 1 : 0; cx <= bx + 1 && cx < placement->buckets_x; cx++) {
            int32_t at = placement->first[cy * placement->buckets_x + cx];
            for (; at != NO_DISC; at = placement->discs[at].next) {
                const disc *other = &placement->discs[at];
                double dx = other->x - x, dy = other->y - y;
                double least = FR_PLACEMENT_SPACING * (other->radius + radius);
                if (dx * dx + dy * dy < least * least) {
                    return false;
                }
            }
        }
    }
    return true;
}

bool fr_placement_has_room(fr_placement *placement, fr_class movement_class, fr_position position,
                           double radius)
{
    const fr_walls *walls = fr_placement_walls(placement, movement_class);
    return fr_walls_region(walls, fr_cell_at(position)) != FR_WALL_REGION &&
           fr_walls_penetration(walls, position, radius) <= 1.0 / FR_POSITION_ONE;
}

static bool take(fr_placement *placement, fr_class movement_class, fr_position position, double radius)
{
    const fr_walls *walls = fr_placement_walls(placement, movement_class);
    if (fr_walls_region(walls, fr_cell_at(position)) == FR_WALL_REGION ||
        fr_walls_penetration(walls, position, radius) > 0.0 || !is_apart(placement, position, radius)) {
        return false;
    }
    fr_placement_add(placement, position, radius);
    return true;
}

double fr_placement_unit(fr_rng *rng)
{
    return (double)(fr_rng_next(rng) >> 11) * (1.0 / 9007199254740992.0);
}

bool fr_placement_random(fr_placement *placement, fr_rng *rng, const double area[4], fr_class movement_class,
                         double radius, fr_position *place)
{
    fr_grid grid = placement->map->grid;
    for (int i = 0; i < FR_PLACEMENT_TRIES; i++) {
        double x = area[0] + fr_placement_unit(rng) * area[2];
        double y = area[1] + fr_placement_unit(rng) * area[3];
        if (x < 0.0 || y < 0.0 || x >= grid.width || y >= grid.height) {
            continue; /* a shifted area may reach beyond the map, and beyond what fixed point holds */
        }
        fr_position position = fr_position_at(x, y);
        if (take(placement, movement_class, position, radius)) {
            *place = position;
            return true;
        }
    }
    return false;
}

/* --- packing ------------------------------------------------------------------------------------- */

/* Lattice pitch in diameters: a little more than the spacing, so that rounding never brings two too close. */
#define PACKING_PITCH 1.06

typedef struct site {
    double squared; /* distance from the origin */
    fr_position position;
} site;

struct fr_packing {
    fr_placement *placement;
    fr_class movement_class;
    double x, y, radius, pitch;
    uint32_t region;
    fr_rect bounds; /* of the region */
    double reached; /* sites up to this distance have been listed */
    double last;    /* no place of the region is further away */
    site *sites;    /* the ring at work, nearest first */
    int32_t site_count, site_capacity, at;
};

static fr_rect region_bounds(const fr_walls *walls, uint32_t region)
{
    int32_t x0 = walls->grid.width, y0 = walls->grid.height, x1 = 0, y1 = 0;
    for (int32_t y = 0; y < walls->grid.height; y++) {
        const uint32_t *row = walls->region + y * walls->grid.width;
        for (int32_t x = 0; x < walls->grid.width; x++) {
            if (row[x] == region) {
                x0 = x < x0 ? x : x0;
                x1 = x + 1 > x1 ? x + 1 : x1;
                y0 = y < y0 ? y : y0;
                y1 = y + 1;
            }
        }
    }
    return (fr_rect){x0, y0, x1 - x0, y1 - y0};
}

fr_packing *fr_packing_create(fr_placement *placement, fr_class movement_class, fr_position origin,
                              double radius)
{
    const fr_walls *walls = fr_placement_walls(placement, movement_class);
    fr_position centre = fr_grid_clamp_position(walls->grid, origin);
    uint32_t region = fr_walls_region(walls, fr_cell_at(centre));
    if (region == FR_WALL_REGION) {
        fr_cell nearest;
        if (!fr_walls_nearest(walls, centre, 0, 0, &nearest)) {
            return NULL;
        }
        region = fr_walls_region(walls, nearest);
        centre = fr_cell_centre(nearest);
    }
    fr_packing *packing = fr_alloc(1, sizeof *packing);
    packing->placement = placement;
    packing->movement_class = movement_class;
    packing->x = fr_cells(centre.x);
    packing->y = fr_cells(centre.y);
    packing->radius = radius;
    packing->pitch = PACKING_PITCH * 2.0 * radius;
    packing->region = region;
    packing->bounds = region_bounds(walls, region);
    packing->reached = -1.0;
    fr_rect bounds = packing->bounds;
    double dx = fmax(packing->x - bounds.x, bounds.x + bounds.width - packing->x);
    double dy = fmax(packing->y - bounds.y, bounds.y + bounds.height - packing->y);
    packing->last = sqrt(dx * dx + dy * dy);
    return packing;
}

void fr_packing_destroy(fr_packing *packing)
{
    if (packing != NULL) {
        fr_free(packing->sites);
        fr_free(packing);
    }
}

static int compare_sites(const void *a, const void *b)
{
    const site *p = a, *q = b;
    if (p->squared != q->squared) {
        return p->squared < q->squared ? -1 : 1;
    }
    if (p->position.y != q->position.y) {
        return p->position.y < q->position.y ? -1 : 1;
    }
    return (p->position.x > q->position.x) - (p->position.x < q->position.x);
}

static void add_site(fr_packing *packing, double x, double y, double squared)
{
    if (packing->site_count == packing->site_capacity) {
        packing->site_capacity = packing->site_capacity == 0 ? 256 : packing->site_capacity * 2;
        packing->sites = fr_realloc(packing->sites, (size_t)packing->site_capacity, sizeof *packing->sites);
    }
    packing->sites[packing->site_count++] = (site){squared, fr_position_at(x, y)};
}

/* Lists the lattice sites between the last ring's radius and a larger one, nearest first. */
static void list_ring(fr_packing *packing)
{
    double inner = packing->reached, outer = inner < 0.0 ? 8.0 * packing->pitch : inner * 1.5;
    outer = outer < packing->last ? outer : packing->last;
    const double row_pitch = packing->pitch * 0.8660254037844386;
    int32_t rows = (int32_t)(outer / row_pitch), columns = (int32_t)(outer / packing->pitch) + 1;
    fr_rect bounds = packing->bounds;
    packing->site_count = packing->at = 0;
    for (int32_t row = -rows; row <= rows; row++) {
        double dy = row * row_pitch, y = packing->y + dy;
        if (y < bounds.y || y >= bounds.y + bounds.height) {
            continue;
        }
        for (int32_t column = -columns; column <= columns; column++) {
            double dx = (column + (row % 2 != 0 ? 0.5 : 0.0)) * packing->pitch, x = packing->x + dx;
            double squared = dx * dx + dy * dy;
            if (x >= bounds.x && x < bounds.x + bounds.width && squared <= outer * outer &&
                (inner < 0.0 || squared > inner * inner)) {
                add_site(packing, x, y, squared);
            }
        }
    }
    if (packing->site_count > 0) {
        qsort(packing->sites, (size_t)packing->site_count, sizeof *packing->sites, compare_sites);
    }
    packing->reached = outer;
}

bool fr_packing_next(fr_packing *packing, fr_position *place)
{
    const fr_walls *walls = fr_placement_walls(packing->placement, packing->movement_class);
    for (;;) {
        while (packing->at < packing->site_count) {
            fr_position position = packing->sites[packing->at++].position;
            if (fr_walls_region(walls, fr_cell_at(position)) == packing->region &&
                take(packing->placement, packing->movement_class, position, packing->radius)) {
                *place = position;
                return true;
            }
        }
        if (packing->reached >= packing->last) {
            return false;
        }
        list_ring(packing);
    }
}

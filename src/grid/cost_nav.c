/* cost_nav: the costs of field cells where these are not tiles. They follow the tiles' view by view and block
 * by block, so that every cause counts, and have no causes of their own. */
#include "grid/cost_internal.h"
#include "grid/nav.h"

fr_cost *fr_cost_nav_create(const fr_cost *tiles, int32_t shift)
{
    fr_cost *nav = fr_cost_create_empty(fr_nav_grid(tiles->grid, shift));
    nav->tiles = tiles;
    nav->shift = shift;
    return nav;
}

static uint8_t tile_cost(const fr_cost *tiles, fr_cost_view view, fr_cell tile)
{
    /* A block holds walls beyond the map's edge; and no field cell reaches into a block that is not there. */
    int32_t index = tiles->table[view * tiles->block_count + fr_grid_block(tiles->grid, tile)];
    return fr_cost_block_at(tiles->chunks, index)->cost[fr_block_index(tile)];
}

/* A wall is dearer than everything: the dearest tile decides. */
static uint8_t dearest(const fr_cost *nav, fr_cost_view view, fr_cell cell)
{
    fr_rect tiles = fr_nav_tiles(nav->shift, (fr_rect){cell.x, cell.y, 1, 1});
    uint8_t most = 0;
    for (int32_t y = tiles.y; y < tiles.y + tiles.height; y++) {
        for (int32_t x = tiles.x; x < tiles.x + tiles.width; x++) {
            uint8_t cost = tile_cost(nav->tiles, view, (fr_cell){x, y});
            most = cost > most ? cost : most;
        }
    }
    return most;
}

void fr_cost_compose_nav(const fr_cost *nav, fr_cost_view view, int32_t block, uint8_t *out)
{
    fr_rect rect = fr_grid_block_rect(nav->grid, block);
    for (int32_t i = 0; i < FR_BLOCK_CELLS; i++) {
        int32_t x = i % FR_BLOCK_SIDE, y = i / FR_BLOCK_SIDE;
        bool is_inside = x < rect.width && y < rect.height;
        out[i] = is_inside ? dearest(nav, view, (fr_cell){rect.x + x, rect.y + y}) : FR_COST_WALL;
    }
}

void fr_cost_nav_open(const fr_cost *tiles, fr_cost_view view)
{
    fr_cost *nav = tiles->nav;
    if (nav == tiles) {
        return;
    }
    if (view >= FR_COST_FITS) {
        nav->defs[view] = tiles->defs[view];
        nav->walls[view] = nav->walls[fr_cost_fit_of(nav, view)];
    }
    if (fr_cost_view_is_open(nav, view)) {
        return; /* turned over to others: its blocks follow */
    }
    fr_cost_compose_view(nav, view);
    nav->open |= (uint64_t)1 << view;
    if (view < FR_COST_FITS) {
        fr_cost_create_walls(nav, view);
        fr_cost_find_walls(nav, view);
    }
    fr_cost_retire_snapshot(nav);
}

void fr_cost_nav_follow(const fr_cost *tiles, fr_cost_view view, int32_t block)
{
    fr_cost *nav = tiles->nav;
    if (nav == tiles) {
        return;
    }
    fr_rect cells = fr_nav_cells(nav->shift, fr_grid_block_rect(tiles->grid, block));
    int32_t blocks_x = fr_grid_blocks_x(nav->grid);
    for (int32_t by = cells.y >> FR_BLOCK_SHIFT; by <= (cells.y + cells.height - 1) >> FR_BLOCK_SHIFT; by++) {
        for (int32_t bx = cells.x >> FR_BLOCK_SHIFT; bx <= (cells.x + cells.width - 1) >> FR_BLOCK_SHIFT;
             bx++) {
            fr_rect changed = {0, 0, 0, 0};
            fr_cost_recompose(nav, view, by * blocks_x + bx, &changed);
            if (changed.width > 0) {
                nav->version++;
                nav->block_version[by * blocks_x + bx] += view < FR_CLASS_COUNT;
                fr_cost_retire_snapshot(nav);
            }
        }
    }
}

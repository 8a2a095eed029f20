#include "app/screen.h"

#include "app/dump.h"
#include "app/paths.h"
#include "app/screen_field.h"
#include "base/assert.h"
#include "base/memory.h"
#include "view/image.h"

static uint64_t now_ns(const fr_screen *screen)
{
    return fr_clock_now_ns(&screen->clock);
}

static const fr_snapshot *snapshot_of(const fr_screen *screen)
{
    return fr_world_snapshot(screen->session->world);
}

static void warn(void *self, const char *line)
{
    const fr_session *session = self;
    session->io.log(session->io.self, line);
}

void fr_screen_arrange(fr_ui *ui, const fr_session *session, int width_px, int height_px)
{
    const fr_options *options = session->options;
    const fr_snapshot *snapshot = fr_world_snapshot(session->world);
    *ui = (fr_ui){.loop = fr_loop_begin(),
                  .overlays = options->overlays,
                  .wave = FR_WAVE_STEPS / 4,
                  .orders_off = session->replay != NULL};
    ui->camera = options->has_camera ? options->camera : fr_ui_first_camera(snapshot, width_px, height_px);
    ui->home_zoom = ui->camera.zoom;
    fr_selection_init(&ui->selection, snapshot->unit_capacity);
}

fr_status fr_screen_open(fr_screen *screen, fr_session *session, bool visible, fr_error *error)
{
    const fr_options *options = session->options;
    *screen = (fr_screen){.session = session, .input = fr_input_begin()};
    fr_status status = fr_stage_open(&screen->stage, options, visible, error);
    if (status != FR_OK) {
        return status;
    }
    int width_px, height_px;
    float scale_x, scale_y;
    fr_stage_size(&screen->stage, &width_px, &height_px, &scale_x, &scale_y);
    char *font_dir = fr_data_font_dir(options->data_dir);
    fr_view_config config = {.data_dir = font_dir,
                             .font_path = options->font_path,
                             .ui_scale = options->ui_scale > 0.0f ? options->ui_scale : scale_x};
    screen->view = fr_view_create(screen->stage.renderer, session->map, &config, warn, session);
    fr_free(font_dir);
    screen->help_count = fr_hotkey_help(screen->help, FR_HELP_LINES_MAX);
    FR_ASSERT(screen->help_count <= FR_HELP_LINES_MAX);
    fr_screen_arrange(&screen->ui, session, width_px, height_px);
    return FR_OK;
}

void fr_screen_close(fr_screen *screen)
{
    fr_probe_fini(&screen->probe);
    fr_preview_fini(&screen->preview);
    fr_selection_fini(&screen->ui.selection);
    if (screen->view != NULL) {
        fr_view_destroy(screen->view);
    }
    fr_stage_close(&screen->stage);
}

static fr_hud hud_of(const fr_screen *screen)
{
    fr_world_stats stats = fr_world_statistics(screen->session->world);
    fr_hud hud = {.fps = screen->meter.fps,
                  .tick_ms = screen->meter.tick_ms,
                  .cache_hits = stats.field_cache_hits,
                  .fields_live = stats.fields_live,
                  .evicted = stats.field_evictions,
                  .denied = stats.fields_denied + stats.extras_denied,
                  .dropped_ticks = (uint32_t)screen->ui.loop.dropped_ticks,
                  .state_hash = screen->meter.state_hash};
    if (!screen->clock.is_virtual) { /* a script's pictures depend on nothing that differs from run to run */
        hud.field_ms = (double)stats.field_build_ns_last / 1e6;
        hud.field_waits = stats.field_waits;
    }
    return hud;
}

/* How units will move from the next tick on: what is queued already counts, or two switches in a pause would
 * be one. */
static void read_movement(const fr_screen *screen, fr_mover *mover, uint32_t *without)
{
    int32_t count;
    const fr_command *queue = fr_world_queued(screen->session->world, &count);
    *mover = snapshot_of(screen)->mover;
    *without = snapshot_of(screen)->without;
    for (int32_t i = 0; i < count; i++) {
        if (queue[i].kind == FR_COMMAND_SET_MOVEMENT) {
            *mover = queue[i].mover;
            *without = queue[i].without;
        }
    }
}

static fr_view_state state_of(fr_screen *screen)
{
    fr_ui *ui = &screen->ui;
    uint64_t now = now_ns(screen);
    const fr_snapshot *snapshot = snapshot_of(screen);
    fr_shown_field shown = fr_screen_field(screen);
    float scale_x, scale_y;
    fr_view_state state = {
        .camera = ui->camera,
        .alpha = screen->alpha,
        /* Time of the simulation, so that a paused picture stands still. */
        .time_s = ((double)snapshot->tick + (double)screen->alpha) / FR_TICK_HZ,
        .overlays = ui->overlays,
        .overlay_class = shown.movement_class,
        .wave = (float)ui->wave / FR_WAVE_STEPS,
        .field = shown.field,
        .field_owner = shown.owner,
        .field_stamp = shown.stamp,
        .field_name = shown.name,
        .field_standing = shown.standing,
        .selected = ui->selection.flags,
        .selected_count = ui->selection.count,
        .has_marker = fr_ui_marker_shown(ui, now),
        .marker = ui->marker,
        .marker_age_s = (double)(now - ui->marker_ns) / FR_NS_PER_S,
        .marker_unreachable = ui->marker_unreachable,
        .has_probe = shown.has_probe,
        .probe = shown.probe,
        .paused = ui->loop.paused,
        .speed = fr_loop_speed(&ui->loop),
        .movement_open = ui->movement_open,
        .help_page = ui->help_page,
        .help = screen->help,
        .help_count = screen->help_count,
        .hud = hud_of(screen),
        .message = fr_ui_message(ui, now),
        .mouse_px = {screen->input.mouse_x, screen->input.mouse_y},
        .title = fr_session_title(screen->session),
    };
    read_movement(screen, &state.mover, &state.without);
    state.dragging = fr_input_box(&screen->input, state.drag_px);
    fr_stage_size(&screen->stage, &state.width_px, &state.height_px, &scale_x, &scale_y);
    return state;
}

static int panels(void *self, fr_panel_rect *out, int capacity)
{
    fr_screen *screen = self;
    fr_view_state state = state_of(screen);
    int count = fr_view_panels(screen->view, &state, out, capacity);
    return count < capacity ? count : capacity;
}

static fr_position minimap_position(void *self, float x_px, float y_px)
{
    fr_screen *screen = self;
    fr_view_state state = state_of(screen);
    return fr_view_minimap_position(screen->view, &state, x_px, y_px);
}

static int movement_row(void *self, float x_px, float y_px)
{
    fr_screen *screen = self;
    fr_view_state state = state_of(screen);
    return fr_view_movement_row(screen->view, &state, x_px, y_px);
}

static int help_pages(void *self)
{
    fr_screen *screen = self;
    fr_view_state state = state_of(screen);
    return fr_view_help_pages(screen->view, &state);
}

static fr_status submit(void *self, const fr_command *command)
{
    fr_screen *screen = self;
    return fr_world_submit(screen->session->world, command);
}

static fr_input_scene scene_of(fr_screen *screen)
{
    fr_input_scene scene = {.snapshot = snapshot_of(screen),
                            .alpha = screen->alpha,
                            .now_ns = now_ns(screen),
                            .self = screen,
                            .panels = panels,
                            .minimap_position = minimap_position,
                            .movement_row = movement_row,
                            .help_pages = help_pages,
                            .submit = submit};
    read_movement(screen, &scene.mover, &scene.without);
    fr_stage_size(&screen->stage, &scene.width_px, &scene.height_px, &scene.scale_x, &scene.scale_y);
    return scene;
}

void fr_screen_handle(fr_screen *screen, const fr_input_event *event)
{
    if (event->kind == FR_INPUT_TARGETS_LOST) {
        fr_view_targets_lost(screen->view);
        return;
    }
    if (event->kind == FR_INPUT_RESIZE) {
        fr_stage_resize(&screen->stage, (int)event->x, (int)event->y);
        return;
    }
    fr_input_scene scene = scene_of(screen);
    fr_input_handle(&screen->input, &screen->ui, &scene, event);
}

void fr_screen_hold(fr_screen *screen, double seconds)
{
    fr_input_scene scene = scene_of(screen);
    fr_input_frame(&screen->input, &screen->ui, &scene, seconds);
}

/* The world says only after a tick that a goal can't be reached. */
static void notice_unreachable(fr_screen *screen)
{
    fr_ui *ui = &screen->ui;
    const fr_snapshot *snapshot = snapshot_of(screen);
    if (!fr_ui_marker_shown(ui, now_ns(screen)) || ui->marker_unreachable) {
        return;
    }
    for (int32_t i = 0; i < ui->selection.capacity; i++) {
        if (ui->selection.flags[i] == 0 || snapshot->reason[i] != FR_REASON_NO_WAY ||
            snapshot->order[i] == FR_NO_ORDER) {
            continue;
        }
        const fr_order_view *order = &snapshot->orders[snapshot->order[i]];
        if (order->goal_count > 0 && order->goals[0].x == ui->marker.x && order->goals[0].y == ui->marker.y) {
            ui->marker_unreachable = true;
            fr_ui_say(ui, now_ns(screen), "no way there: going to the nearest place");
            return;
        }
    }
}

void fr_screen_ticked(fr_screen *screen, uint64_t tick_ns)
{
    screen->meter.ticks++;
    screen->meter.tick_ns += screen->clock.is_virtual ? 0 : tick_ns;
    fr_selection_prune(&screen->ui.selection, snapshot_of(screen));
    notice_unreachable(screen);
}

static void read_meter(fr_screen *screen)
{
    fr_meter *meter = &screen->meter;
    uint64_t now = now_ns(screen);
    if (!meter->started) {
        meter->started = true;
        meter->begin_ns = now;
        return;
    }
    meter->frames++;
    if (now - meter->begin_ns < FR_NS_PER_S) {
        return;
    }
    meter->fps = (double)meter->frames * FR_NS_PER_S / (double)(now - meter->begin_ns);
    if (meter->ticks > 0) {
        meter->tick_ms = (double)meter->tick_ns / meter->ticks / 1e6;
        meter->state_hash = fr_world_hash(screen->session->world);
    }
    meter->begin_ns = now;
    meter->frames = meter->ticks = 0;
    meter->tick_ns = 0;
}

/* The field that leads the unit to this very place, if there is one. */
static const fr_field *field_to(const fr_screen *screen, uint32_t unit, fr_position place)
{
    const fr_snapshot *snapshot = snapshot_of(screen);
    if (snapshot->order[unit] == FR_NO_ORDER) {
        return NULL;
    }
    const fr_order_view *order = &snapshot->orders[snapshot->order[unit]];
    fr_cell asked = fr_cell_at(place);
    fr_cell goal = order->goal_count == 1 ? fr_cell_at(order->goals[0]) : (fr_cell){-1, -1};
    return goal.x == asked.x && goal.y == asked.y ? fr_world_unit_field(screen->session->world, unit) : NULL;
}

static void show_route(fr_screen *screen, fr_view_state *state)
{
    fr_preview *preview = &screen->preview;
    const fr_snapshot *snapshot = snapshot_of(screen);
    fr_input_scene scene = scene_of(screen);
    fr_position place;
    uint32_t unit;
    if (!fr_input_aim(&screen->input, &screen->ui, &scene, &place)) {
        fr_preview_end(preview);
        return;
    }
    if (fr_preview_choose(preview, &screen->ui.selection, snapshot, &unit) &&
        fr_preview_trace(preview, snapshot, unit, field_to(screen, unit, place), place)) {
        state->route = (fr_view_route){.arrives = preview->route.arrives,
                                       .length_cells = preview->route.length_cells,
                                       .eta_s = preview->route.eta_s,
                                       .points = preview->points,
                                       .point_count = preview->route.point_count};
    }
}

void fr_screen_draw(fr_screen *screen, bool complete)
{
    read_meter(screen);
    fr_view_state state = state_of(screen);
    show_route(screen, &state);
    state.complete = complete;
    fr_view_draw(screen->view, snapshot_of(screen), &state);
}

void fr_screen_dump(fr_screen *screen, fr_buffer *out)
{
    fr_panel_rect rects[8];
    int count = panels(screen, rects, 8);
    fr_dump_write(snapshot_of(screen), &screen->ui, rects, count, out);
}

static fr_status save(const char *path, const fr_buffer *bytes, fr_error *error)
{
    fr_output *output = fr_output_open(path, error);
    return output != NULL ? fr_output_finish(&output, bytes, error) : FR_IO_FAILED;
}

fr_status fr_screen_save_picture(fr_screen *screen, const char *path, fr_error *error)
{
    fr_buffer bytes = {0};
    fr_status status = fr_stage_picture(&screen->stage, fr_image_is_png(path), &bytes, error);
    if (status == FR_OK) {
        status = save(path, &bytes, error);
    }
    fr_buffer_fini(&bytes);
    return status;
}

fr_status fr_screen_save_dump(fr_screen *screen, const char *path, fr_error *error)
{
    fr_buffer bytes = {0};
    fr_screen_dump(screen, &bytes);
    fr_status status = save(path, &bytes, error);
    fr_buffer_fini(&bytes);
    return status;
}

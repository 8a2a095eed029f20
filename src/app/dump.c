#include "app/dump.h"

#include "base/json.h"

/* 1/65536 cell and better. */
#define PLACE_DECIMALS 6

/* The goal that a unit's last order meant for it: of several the one nearest to where it is heading. */
static fr_position unit_goal(const fr_snapshot *snapshot, int32_t unit)
{
    const fr_order_view *order = &snapshot->orders[snapshot->order[unit]];
    fr_position target = snapshot->target[unit];
    if (order->area.kind != FR_AREA_NONE) {
        return fr_area_nearest(&order->area, target);
    }
    int32_t best = 0;
    double best_squared = -1;
    for (int32_t i = 0; i < order->goal_count; i++) {
        double dx = fr_cells(order->goals[i].x) - fr_cells(target.x);
        double dy = fr_cells(order->goals[i].y) - fr_cells(target.y);
        double squared = dx * dx + dy * dy;
        if (best_squared < 0 || squared < best_squared) {
            best = i;
            best_squared = squared;
        }
    }
    return order->goals[best];
}

static void write_unit(fr_json_writer *writer, const fr_snapshot *snapshot, int32_t unit)
{
    fr_json_begin_object(writer, NULL);
    fr_json_write_int(writer, "id", unit);
    fr_json_write_fixed(writer, "x", fr_cells(snapshot->position[unit].x), PLACE_DECIMALS);
    fr_json_write_fixed(writer, "y", fr_cells(snapshot->position[unit].y), PLACE_DECIMALS);
    fr_json_write_fixed(writer, "vx", (double)snapshot->velocity[unit].x, PLACE_DECIMALS);
    fr_json_write_fixed(writer, "vy", (double)snapshot->velocity[unit].y, PLACE_DECIMALS);
    fr_json_write_int(writer, "team", snapshot->team[unit]);
    fr_json_write_string(writer, "class", fr_class_name((fr_class)snapshot->movement_class[unit]));
    fr_json_write_string(writer, "state", fr_unit_state_name((fr_unit_state)snapshot->state[unit]));
    fr_json_write_string(writer, "reason", fr_unit_reason_name((fr_unit_reason)snapshot->reason[unit]));
    if (snapshot->order[unit] == FR_NO_ORDER) {
        fr_json_write_null(writer, "goal");
    } else {
        fr_position goal = unit_goal(snapshot, unit);
        fr_json_begin_array(writer, "goal");
        fr_json_write_fixed(writer, NULL, fr_cells(goal.x), PLACE_DECIMALS);
        fr_json_write_fixed(writer, NULL, fr_cells(goal.y), PLACE_DECIMALS);
        fr_json_end_array(writer);
    }
    fr_json_end_object(writer);
}

void fr_dump_write(const fr_snapshot *snapshot, const fr_ui *ui, const fr_panel_rect *panels, int panel_count,
                   fr_buffer *out)
{
    fr_json_writer writer = fr_json_writer_begin(out, true);
    fr_json_begin_object(&writer, NULL);
    fr_json_write_int(&writer, "tick", snapshot->tick);
    fr_json_write_bool(&writer, "paused", ui->loop.paused);
    fr_json_write_number(&writer, "speed", fr_loop_speed(&ui->loop));
    fr_json_begin_array(&writer, "camera");
    fr_json_write_number(&writer, NULL, ui->camera.x);
    fr_json_write_number(&writer, NULL, ui->camera.y);
    fr_json_write_number(&writer, NULL, ui->camera.zoom);
    fr_json_end_array(&writer);
    fr_json_begin_array(&writer, "overlays");
    for (int i = 0; i < FR_OVERLAY_COUNT; i++) {
        if ((ui->overlays >> i & 1u) != 0) {
            fr_json_write_string(&writer, NULL, fr_overlay_name(i));
        }
    }
    fr_json_end_array(&writer);
    fr_json_begin_array(&writer, "selected");
    for (int32_t i = 0; i < ui->selection.capacity; i++) {
        if (ui->selection.flags[i] != 0) {
            fr_json_write_int(&writer, NULL, i);
        }
    }
    fr_json_end_array(&writer);
    fr_json_begin_array(&writer, "panels");
    for (int i = 0; i < panel_count; i++) {
        fr_json_begin_array(&writer, NULL);
        fr_json_write_int(&writer, NULL, panels[i].x);
        fr_json_write_int(&writer, NULL, panels[i].y);
        fr_json_write_int(&writer, NULL, panels[i].width);
        fr_json_write_int(&writer, NULL, panels[i].height);
        fr_json_end_array(&writer);
    }
    fr_json_end_array(&writer);
    fr_json_begin_array(&writer, "units");
    for (int32_t i = 0; i < snapshot->unit_count; i++) {
        write_unit(&writer, snapshot, i);
    }
    fr_json_end_array(&writer);
    fr_json_end_object(&writer);
    fr_buffer_append(out, "\n", 1);
}

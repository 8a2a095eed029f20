/* dump: the state that tests look at, as JSON. */
#ifndef FR_APP_DUMP_H
#define FR_APP_DUMP_H

#include "app/ui.h"
#include "base/buffer.h"
#include "view/view.h"

/* Appends one JSON object and a newline. `panels` [panel_count]; empty without a window. */
void fr_dump_write(const fr_snapshot *snapshot, const fr_ui *ui, const fr_panel_rect *panels, int panel_count,
                   fr_buffer *out);

#endif

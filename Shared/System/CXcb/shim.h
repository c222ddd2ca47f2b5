#include <xcb/xcb.h>
#include <xcb/xcbext.h>
#include <xcb/sync.h>
#include <xcb/res.h>

/* Swift takes the addresses of C variables for shared mutable state; libxcb only reads these. */
static inline xcb_extension_t *shim_sync_extension(void) { return &xcb_sync_id; }
static inline xcb_extension_t *shim_res_extension(void) { return &xcb_res_id; }

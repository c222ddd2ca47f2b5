#include <xcb/xcb.h>
#include <xcb/xcb_ewmh.h>
#include <xcb/xcb_icccm.h>
#include <xcb/sync.h>
#include <xcb/res.h>
#include <xcb/screensaver.h>

/* GTK declares its functions for X11 deprecated since 4.18; there is no other way to place a window there. */
#define GDK_DISABLE_DEPRECATION_WARNINGS
#define GLIB_DISABLE_DEPRECATION_WARNINGS
#include <gdk/x11/gdkx.h>
#include <gtk/gtk.h>

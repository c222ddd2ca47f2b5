#include <gio/gio.h>
/* By its folder: the pkg-config file that would name it brings flags that SwiftPM warns about. */
#include <gio-unix-2.0/gio/gdesktopappinfo.h>

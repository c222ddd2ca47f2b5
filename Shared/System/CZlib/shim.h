#include <zlib.h>

/* A macro in zlib.h. */
static inline int inflate_begin(z_stream *stream) { return inflateInit(stream); }

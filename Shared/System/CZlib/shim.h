#include <zlib.h>

/* Macros in zlib.h. */
static inline int inflate_begin(z_stream *stream) { return inflateInit(stream); }

/* The smallest gzip, with the memory of zlib's default. */
static inline int deflate_begin_gzip(z_stream *stream) {
    return deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

#include "picture.h"

#include <dlfcn.h>
#include <png.h>
#include <string.h>

/* libpng's simplified functions, which return in case of an error instead of jumping. */
static void *function(const char *name) {
    void *library = dlopen("libpng16.so.16", RTLD_NOW | RTLD_LOCAL);
    return library ? dlsym(library, name) : NULL;
}

int picture_read(const void *file, size_t file_bytes, uint32_t width, uint32_t height, uint8_t *pixels) {
    __typeof__(png_image_begin_read_from_memory) *begin =
        (__typeof__(begin))function("png_image_begin_read_from_memory");
    __typeof__(png_image_finish_read) *finish = (__typeof__(finish))function("png_image_finish_read");
    __typeof__(png_image_free) *release = (__typeof__(release))function("png_image_free");
    if (!begin || !finish || !release) return 0;
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    if (!begin(&image, file, file_bytes)) return 0;
    if (image.width != width || image.height != height) {
        release(&image);
        return 0;
    }
    image.format = PNG_FORMAT_RGBA;
    /* Without it 16 bits are taken for linear light. */
    image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
    return finish(&image, NULL, pixels, 0, NULL) != 0;
}

void *picture_write(const uint8_t *pixels, uint32_t width, uint32_t height, size_t *file_bytes) {
    __typeof__(png_image_write_to_memory) *write = (__typeof__(write))function("png_image_write_to_memory");
    if (!write) return NULL;
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = width;
    image.height = height;
    image.format = PNG_FORMAT_RGBA;
    png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
    void *file = malloc(bytes);
    if (!file || !write(&image, file, &bytes, 0, pixels, 0, NULL)) {
        free(file);
        return NULL;
    }
    *file_bytes = bytes;
    return file;
}

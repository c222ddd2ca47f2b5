/* PNGs through libpng. It is loaded when the first picture is read: this module is part of extension programs, and
 * few ever read one. Who compiles a program needs no png.h. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Writes red, green, blue and alpha of each pixel, row by row from the top: width * height * 4 bytes. Returns 0,
 * and leaves the pixels undefined, where the file is damaged or of another size, or where there is no libpng. */
int picture_read(const void *file, size_t file_bytes, uint32_t width, uint32_t height, uint8_t *pixels);

/* Returns a file of such pixels, which is to be freed with free(3); NULL: memory or libpng is missing. */
void *picture_write(const uint8_t *pixels, uint32_t width, uint32_t height, size_t *file_bytes);

#include "decoding.h"
#include <png.h>

typedef struct {
    uint8_t *bytes;
    size_t count, capacity;
} png_output;

static void put(png_structp png, png_bytep bytes, size_t count) {
    png_output *output = png_get_io_ptr(png);
    if (count > output->capacity - output->count) png_error(png, "no room");
    memcpy(output->bytes + output->count, bytes, count);
    output->count += count;
}

static void flush(png_structp png) {}
static void ignore(png_structp png, png_const_charp words) {}

// libpng's default would print the message to standard error.
static void fail(png_structp png, png_const_charp words) { png_longjmp(png, 1); }

size_t halftone_write_png(
    const uint8_t *rgba, int width, int height, uint8_t *bytes, size_t capacity) {
    png_output output = {bytes, 0, capacity};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, fail, ignore);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return 0;
    }
    png_set_write_fn(png, &output, put, flush);
    // The fastest level, and the filter that suits photographs best: half the size of no filter.
    png_set_compression_level(png, 1);
    png_set_filter(png, 0, PNG_FILTER_SUB);
    png_set_IHDR(
        png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGB,
        PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_BASE, PNG_FILTER_TYPE_BASE);
    png_write_info(png, info);
    png_set_filler(png, 0, PNG_FILLER_AFTER);
    for (int y = 0; y < height; y++) png_write_row(png, rgba + (size_t)y * (size_t)width * 4);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return output.count;
}

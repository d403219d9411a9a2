#include "encoded.h"
#include "exif.h"
#include <png.h>
#include <setjmp.h>

static void fail(png_structp png, png_const_charp words) {
    halftone_encoded_fail(png_get_error_ptr(png), words);
    png_longjmp(png, 1);
}

static void ignore(png_structp png, png_const_charp words) {}

static void append(png_structp png, png_bytep bytes, size_t count) {
    if (!halftone_encoded_append(png_get_io_ptr(png), bytes, count)) png_error(png, "out of memory");
}

static void flush(png_structp png) {}

static void set_palette(png_structp png, png_infop info, const halftone_png_options *options) {
    png_color colors[256];
    png_byte alphas[256];
    int last_clear = -1;
    for (int i = 0; i < options->palette_count && i < 256; i++) {
        const uint8_t *entry = options->palette + i * 4;
        colors[i] = (png_color){entry[0], entry[1], entry[2]};
        alphas[i] = entry[3];
        if (entry[3] != 255) last_clear = i;
    }
    png_set_PLTE(png, info, colors, options->palette_count);
    if (last_clear >= 0) png_set_tRNS(png, info, alphas, last_clear + 1, NULL);
}

static void write_header(
    png_structp png, png_infop info, int width, int height, const halftone_png_options *options) {
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);  // tests write bombs
    png_set_compression_level(png, options->compression);
    png_set_IHDR(
        png, info, (png_uint_32)width, (png_uint_32)height, options->bit_depth,
        options->color_type, options->interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
        PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (options->palette) set_palette(png, info, options);
    if (options->orientation) {
        png_byte tiff[HALFTONE_EXIF_LENGTH];
        halftone_exif(options->orientation, tiff);
        png_set_eXIf_1(png, info, sizeof tiff, tiff);
    }
    png_write_info(png, info);
}

bool halftone_encode_png(
    const uint8_t *rows, size_t row_bytes, int width, int height,
    const halftone_png_options *options, halftone_encoded *file) {
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, file, fail, ignore);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info) {
        png_destroy_write_struct(&png, NULL);
        return halftone_encoded_fail(file, "out of memory");
    }
    if (setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return false;
    }
    png_set_write_fn(png, file, append, flush);
    write_header(png, info, width, height, options);
    int passes = png_set_interlace_handling(png);
    for (int pass = 0; pass < passes; pass++)
        for (int y = 0; y < height; y++) png_write_row(png, rows + row_bytes * (size_t)y);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return true;
}

#include "encoded.h"
#include "exif.h"
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <jpeglib.h>

typedef struct {
    struct jpeg_error_mgr base;
    jmp_buf escape;
    halftone_encoded *file;
} error_manager;

static void fail(j_common_ptr jpeg) {
    error_manager *manager = (error_manager *)jpeg->err;
    char words[JMSG_LENGTH_MAX];
    jpeg->err->format_message(jpeg, words);
    halftone_encoded_fail(manager->file, words);
    longjmp(manager->escape, 1);
}

static void set_up(
    struct jpeg_compress_struct *jpeg, int width, int height, const halftone_jpeg_options *options) {
    bool inks = options->kind == HALFTONE_JPEG_CMYK || options->kind == HALFTONE_JPEG_YCCK;
    jpeg->image_width = (JDIMENSION)width;
    jpeg->image_height = (JDIMENSION)height;
    jpeg->input_components = 4;
    jpeg->in_color_space = inks ? JCS_CMYK : JCS_EXT_RGBA;
    jpeg_set_defaults(jpeg);
    if (options->kind == HALFTONE_JPEG_GRAY) jpeg_set_colorspace(jpeg, JCS_GRAYSCALE);
    if (options->kind == HALFTONE_JPEG_YCCK) jpeg_set_colorspace(jpeg, JCS_YCCK);
    jpeg_set_quality(jpeg, options->quality, TRUE);
    if (options->progressive) jpeg_simple_progression(jpeg);
    jpeg->restart_in_rows = options->restart_rows;
}

static void write_exif(struct jpeg_compress_struct *jpeg, int orientation) {
    uint8_t marker[6 + HALFTONE_EXIF_LENGTH] = "Exif\0";
    halftone_exif(orientation, marker + 6);
    jpeg_write_marker(jpeg, JPEG_APP0 + 1, marker, sizeof marker);
}

// Adobe writes inks inverted (255 is none), with the grey component in K.
static void to_inks(const uint8_t *rgba, int width, uint8_t *inks) {
    for (int x = 0; x < width; x++, rgba += 4, inks += 4) {
        int light = rgba[0] > rgba[1] ? rgba[0] : rgba[1];
        if (rgba[2] > light) light = rgba[2];
        for (int i = 0; i < 3; i++) inks[i] = light ? (uint8_t)(rgba[i] * 255 / light) : 255;
        inks[3] = (uint8_t)light;
    }
}

static void write_rows(struct jpeg_compress_struct *jpeg, const uint8_t *rgba) {
    int width = (int)jpeg->image_width;
    // Allocated from the library's pool, so that it is freed in any case.
    uint8_t *inks = jpeg->mem->alloc_large((j_common_ptr)jpeg, JPOOL_IMAGE, (size_t)width * 4);
    while (jpeg->next_scanline < jpeg->image_height) {
        const uint8_t *pixels = rgba + (size_t)jpeg->next_scanline * (size_t)width * 4;
        JSAMPROW row = (JSAMPROW)pixels;
        if (jpeg->in_color_space == JCS_CMYK) {
            to_inks(pixels, width, inks);
            row = inks;
        }
        jpeg_write_scanlines(jpeg, &row, 1);
    }
}

bool halftone_encode_jpeg(
    const uint8_t *rgba, int width, int height, const halftone_jpeg_options *options,
    halftone_encoded *file) {
    struct jpeg_compress_struct jpeg = {0};
    error_manager manager;
    unsigned long count = 0;  // libjpeg keeps its address and writes it at the end
    jpeg.err = jpeg_std_error(&manager.base);
    manager.base.error_exit = fail;
    manager.file = file;
    if (setjmp(manager.escape)) {
        // Stores the current buffer in file->bytes, which may still point to one that was freed when the buffer grew.
        if (jpeg.dest) jpeg.dest->term_destination(&jpeg);
        jpeg_destroy_compress(&jpeg);
        return false;
    }
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &file->bytes, &count);
    set_up(&jpeg, width, height, options);
    jpeg_start_compress(&jpeg, TRUE);
    if (options->orientation) write_exif(&jpeg, options->orientation);
    write_rows(&jpeg, rgba);
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    file->count = count;
    return true;
}

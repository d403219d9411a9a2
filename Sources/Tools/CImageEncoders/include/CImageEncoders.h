#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Encoders based on the real libraries, for tests, benchmarks and the generator of the shipped gallery. Each writes a whole file to memory.
// All are thread-safe and deterministic.

// The result of an encoder. The caller frees `bytes` with halftone_encoded_free, also after a failure.
typedef struct {
    uint8_t *bytes;
    size_t count;
    size_t capacity;  // room behind `bytes`; for the encoders only
    char error[200];  // the library's words, empty if all went well
} halftone_encoded;

void halftone_encoded_free(halftone_encoded *file);

typedef enum { HALFTONE_JPEG_COLOR, HALFTONE_JPEG_GRAY, HALFTONE_JPEG_CMYK, HALFTONE_JPEG_YCCK } halftone_jpeg_kind;

typedef struct {
    int quality;             // 1…100
    bool progressive;
    int orientation;         // EXIF 1…8; 0 writes no EXIF
    halftone_jpeg_kind kind;
    int restart_rows;        // rows of blocks between restart markers; 0 writes none
} halftone_jpeg_options;

// `rgba`: height rows of width * 4 bytes; alpha is ignored.
bool halftone_encode_jpeg(
    const uint8_t *rgba, int width, int height, const halftone_jpeg_options *options,
    halftone_encoded *file);

typedef struct {
    int bit_depth;           // 1, 2, 4, 8, 16
    int color_type;          // as in the file: 0 grey, 2 RGB, 3 palette, 4 grey + alpha, 6 RGBA
    bool interlaced;
    int compression;         // zlib's 0…9
    const uint8_t *palette;  // palette_count * 4 bytes RGBA; alpha goes to tRNS
    int palette_count;
    int orientation;         // EXIF 1…8; 0 writes no eXIf
} halftone_png_options;

// `rows`: height rows of row_bytes, packed as in PNG (16 bits big-endian).
bool halftone_encode_png(
    const uint8_t *rows, size_t row_bytes, int width, int height,
    const halftone_png_options *options, halftone_encoded *file);

// A bare file (RIFF with one VP8 or VP8L chunk, or VP8X with alpha). Quality 0…100; with `lossless` it is the effort.
bool halftone_encode_webp(
    const uint8_t *rgba, int width, int height, float quality, bool lossless,
    halftone_encoded *file);

typedef struct {
    int left, top, width, height;
    const uint8_t *indices;  // height rows of width
    const uint8_t *palette;  // 256 * 3 bytes RGB
    int transparent;         // palette index, -1 for none
    int disposal;            // GIF's 0…3
    int delay;               // hundredths of a second
    bool interlaced;
} halftone_gif_frame;

// `repeats`: 0 for endless, -1 to omit it.
bool halftone_encode_gif(
    int width, int height, const halftone_gif_frame *frames, int frame_count, int repeats,
    halftone_encoded *file);

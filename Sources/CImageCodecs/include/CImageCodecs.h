#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The decoders. Each reads a file, possibly truncated, from memory and returns the first frame as stored, reduced; the caller applies
// EXIF's orientation. Written in C because libjpeg and libpng report errors by longjmp. There is no shared state: all functions may run on
// any number of threads at once. Nothing in `bytes` is trusted.

typedef enum {
    HALFTONE_JPEG,  // DCT scaling to 1/8, 1/4 or 1/2, then averaged; of a progressive file the scans that matter for that
    HALFTONE_PNG,   // row by row, averaged while reading; an interlaced file is held whole
    HALFTONE_WEBP,  // scaled while decoding; of an animation the first frame on its canvas
    HALFTONE_GIF,   // the first frame on its canvas
    // The formats below need their headers at build time, and their libraries when the first file is decoded.
    HALFTONE_TIFF,  // strip by strip, averaged while reading; one that has a single strip is held whole
    HALFTONE_AVIF,  // the first frame, held whole; what is brighter than white becomes as bright as sRGB goes
    HALFTONE_JXL,   // the first frame, upright, held whole; from its eighth where that is enough
    HALFTONE_HEIC,  // the primary picture, upright; from its thumbnail where that is enough
    HALFTONE_STILL,      // BMP, PNM, TGA, Photoshop, JPEG 2000 and QOI, held whole
    HALFTONE_CONTAINER,  // a frame at a tenth of a video's duration, or the largest icon; held whole
    // Drawn at the target size; the caller sets the source size in `picture`. Cannot be interrupted, however expensive the document is.
    HALFTONE_SVG,
    HALFTONE_PDF,  // a page, drawn at the target size
} halftone_format;

// The limits of a decode, checked against the header before anything is allocated.
typedef struct {
    int64_t max_pixels;        // width * height
    int64_t max_frame_pixels;  // the same, where the whole frame must be held: interlaced, lossless WebP
    int64_t max_memory;        // bytes libjpeg may take, for progressive files' coefficients above all
    int max_scans;             // scans of a progressive JPEG that are read
    double seconds;            // CPU time of the calling thread
    const void *cancelled;     // an atomic bool that ends the decode as if time were up, set by any thread; may be NULL
} halftone_limits;

// The minimum size, as stored in the file; 0 × 0 for the whole. The picture's aspect ratio is kept.
typedef struct {
    int width, height;
    int page;  // of a PDF, from 1; 0 only counts them
} halftone_target;

typedef enum {
    HALFTONE_DECODED = 0,      // perhaps in part, see `partial`; a status is true if something went wrong
    HALFTONE_BROKEN,           // not even a row could be read; `error` says why
    HALFTONE_TOO_LARGE,        // more than max_pixels or max_frame_pixels
    HALFTONE_TOO_SLOW,         // more than `seconds`, or cancelled
    HALFTONE_ENDED,            // an animation has no further frame
} halftone_status;

typedef enum { HALFTONE_RGB, HALFTONE_GRAY, HALFTONE_INKS } halftone_model;

// The file's colour information; pixels are decoded as they are stored.
typedef struct {
    halftone_model model;        // grey pixels are stored as red = green = blue, inks as cyan, magenta, yellow, black
    bool inverted;               // inks: 255 is none, as Adobe writes them
    uint8_t *profile;            // ICC, or NULL
    size_t profile_count;
    double gamma;                // the exponent of the curve, as of a PNG's gAMA; 0 for sRGB's curve
    bool has_chromaticities;
    double chromaticities[8];    // x, y of white, red, green, blue
} halftone_colors;

typedef struct {
    int width, height;                // of `rgba`
    int source_width, source_height;  // of the file
    bool partial;                     // rows or scans are missing; what was not read is transparent
    bool may_be_clear;                // some alpha may be under 255
    uint8_t *rgba;                    // height rows of width * 4 bytes, straight alpha; see `colors`
    int rows;                         // of inks: how many of them hold something; the others are 0
    int frames;                       // of the file, where only the decoder can tell; else 0
    int quarters;                     // of a video: the turns clockwise that make it upright
    int64_t milliseconds;             // of a video: its duration, or 0
    int plays;                        // of an animation: how often all of it is to be shown; 0 for ever
    halftone_colors colors;
    char error[200];                  // the library's words
} halftone_picture;

// Whether a format can be decoded; the first call loads its library.
bool halftone_can_decode(halftone_format format);
// Whether a format can probably be decoded, as far as known without loading its library.
bool halftone_may_decode(halftone_format format);
// The file name of the library that a format needs; NULL if it needs none, or is not built in.
const char *halftone_library_name(halftone_format format);

// `bytes` may be only the beginning of what is in `file`, unless that is negative; a container is then read from the file.
halftone_status halftone_decode(
    halftone_format format, const uint8_t *bytes, size_t count, int file, halftone_target target,
    const halftone_limits *limits, halftone_picture *picture);

// Frees a decoder's result, also after a failure; `picture` must be zeroed before its first use.
void halftone_picture_free(halftone_picture *picture);

// Reads the size and colours of a JPEG without decoding; the file's beginning suffices, up to the first scan.
void halftone_read_jpeg_header(
    const uint8_t *bytes, size_t count, const halftone_limits *limits, halftone_picture *picture);

// Whether colours that are no inks differ from sRGB, by their profile or else by gamma and chromaticities. A profile that is broken, of
// another kind, or too expensive is ignored, as in browsers.
bool halftone_needs_conversion(const halftone_colors *colors, const halftone_limits *limits);

// Converts `count` pixels of 4 bytes to sRGB in place. Alpha is left unchanged; for inks it becomes 255. Returns false without changes if the
// profile is ignored; once time is up, the rest stays as it is.
bool halftone_convert(
    const halftone_colors *colors, uint8_t *pixels, size_t count, const halftone_limits *limits);

// The frames of an animated GIF, PNG or WebP in sequence, each drawn on the canvas left by the previous ones. Holds one canvas, and a
// second one if it will be restored. Must be used from one thread at a time.
typedef struct halftone_animation halftone_animation;

// Copies `bytes`. `picture` receives the size, the colours and the plays, or what HALFTONE_BROKEN means.
halftone_status halftone_animation_open(
    halftone_format format, const uint8_t *bytes, size_t count, const halftone_limits *limits,
    halftone_picture *picture, halftone_animation **opened);
// Draws the next frame on the canvas; returns its duration as stored. HALFTONE_ENDED after the last (readable) frame.
halftone_status halftone_animation_next(
    halftone_animation *animation, const halftone_limits *limits, int *milliseconds);
// The canvas, averaged to cover the target; no pixels if out of memory.
void halftone_animation_picture(
    const halftone_animation *animation, halftone_target target, halftone_picture *picture);
// Rewinds to before the first frame. False if the file cannot be reopened; no more frames follow then.
bool halftone_animation_rewind(halftone_animation *animation, const halftone_limits *limits);
void halftone_animation_close(halftone_animation *animation);

// Unpacks what zlib has packed, as in PNG's chunks; returns its length in bytes, 0 if it is damaged or exceeds `capacity`.
size_t halftone_unpack(const uint8_t *packed, size_t count, uint8_t *bytes, size_t capacity);

// Writes opaque pixels as a PNG, optimized for speed over size; returns its length in bytes, 0 if it exceeds `capacity`.
size_t halftone_write_png(
    const uint8_t *rgba, int width, int height, uint8_t *bytes, size_t capacity);

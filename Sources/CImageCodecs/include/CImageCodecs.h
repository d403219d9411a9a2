#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The decoders: each reads a file, or what there is of it, from memory and gives the first frame as it is stored, reduced;
// turning it as EXIF says is left to the caller. In C because libjpeg and libpng report errors by longjmp.
// They share no state: every function may run on any number of threads at once. Nothing in `bytes` is trusted.

typedef enum {
    HALFTONE_JPEG,  // DCT scaling to 1/8, 1/4 or 1/2, then averaged; of a progressive file the scans that matter for that
    HALFTONE_PNG,   // row by row, averaged while reading; an interlaced file is held whole
    HALFTONE_WEBP,  // scaled while decoding; of an animation the first frame on its canvas
    HALFTONE_GIF,   // the first frame on its canvas
    // Those below need their headers when this is built and, but for BMP, their libraries when the first file is decoded.
    HALFTONE_TIFF,  // strip by strip, averaged while reading; one that has a single strip is held whole
    HALFTONE_BMP,   // held whole
    HALFTONE_AVIF,  // the first frame, held whole; what is brighter than white becomes as bright as sRGB goes
    HALFTONE_JXL,   // the first frame, upright, held whole; from its eighth where that is enough
    // Drawn at the size wanted. The caller tells the size of the whole in `picture`, and sees to it that the document is
    // not costly and refers to nothing outside of it.
    HALFTONE_SVG,
} halftone_format;

// Ends a decode soon after it is raised; on any thread.
typedef struct halftone_flag halftone_flag;
halftone_flag *halftone_flag_make(void);
void halftone_flag_raise(halftone_flag *flag);
bool halftone_flag_is_raised(const halftone_flag *flag);
void halftone_flag_free(halftone_flag *flag);

// What a decode may cost. Checked against the header before anything is allocated.
typedef struct {
    int64_t max_pixels;        // width * height
    int64_t max_frame_pixels;  // the same, where the whole frame must be held: interlaced, lossless WebP
    int64_t max_memory;        // bytes libjpeg may take, for progressive files' coefficients above all
    int max_scans;             // scans of a progressive JPEG that are read
    double seconds;            // CPU time of the calling thread
    const halftone_flag *cancelled;  // ends the decode as if time were up; may be NULL
} halftone_limits;

// The least size wanted, as stored in the file; 0 × 0 for the whole. The picture's aspect ratio is kept.
typedef struct {
    int width, height;
} halftone_target;

typedef enum {
    HALFTONE_DECODED,          // perhaps in part, see `partial`
    HALFTONE_BROKEN,           // not even a row could be read; `error` says why
    HALFTONE_TOO_LARGE,        // more than max_pixels
    HALFTONE_TOO_LARGE_FRAME,  // more than max_frame_pixels
    HALFTONE_TOO_SLOW,         // more than `seconds`, or cancelled
    HALFTONE_ENDED,            // an animation has no further frame
} halftone_status;

typedef enum { HALFTONE_RGB, HALFTONE_GRAY, HALFTONE_INKS } halftone_model;

// What a file says of its colours; pixels are decoded as they are stored.
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
    int rows;                         // how many of them hold something; the others are 0
    int frames;                       // of the file, where only the decoder can tell; else 0
    int plays;                        // of an animation: how often all of it is to be shown; 0 for ever
    halftone_colors colors;
    char error[200];                  // the library's words
} halftone_picture;

// Whether a format can be decoded; loads its library, the first time.
bool halftone_can_decode(halftone_format format);
// The same as far as can be told without loading.
bool halftone_may_decode(halftone_format format);

halftone_status halftone_decode(
    halftone_format format, const uint8_t *bytes, size_t count, halftone_target target,
    const halftone_limits *limits, halftone_picture *picture);

// Frees what a decoder gave, also after a failure; `picture` must be zeroed before its first use.
void halftone_picture_free(halftone_picture *picture);

// Notes the size of a JPEG or JPEG XL, and the colours of the first, without decoding; the beginning of a file is enough,
// up to a JPEG's first scan.
void halftone_read_header(
    halftone_format format, const uint8_t *bytes, size_t count, const halftone_limits *limits,
    halftone_picture *picture);

// Turns `count` pixels of 4 bytes into sRGB in place, as their profile, or else gamma and chromaticities, say. Alpha is left
// alone, that of inks becomes 255. False, and nothing done, if the profile is broken, none for such pixels, or too costly.
bool halftone_convert(
    const halftone_colors *colors, uint8_t *pixels, size_t count, const halftone_limits *limits);

// Inks to red, green, blue without a profile, in place: each colour is what cyan, magenta or yellow, and black, let through.
void halftone_plain_inks(const halftone_colors *colors, uint8_t *pixels, size_t count);

// The frames of an animated GIF, PNG or WebP, one after the other, each on the canvas that the ones before have left.
// One canvas is held, and what a frame covers where that is to come back. On one thread at a time.
typedef struct halftone_animation halftone_animation;

// Copies `bytes`. NULL if it cannot be played, or its canvas has more than max_frame_pixels; `picture` then has words,
// else the size, the colours and the plays.
halftone_animation *halftone_animation_open(
    halftone_format format, const uint8_t *bytes, size_t count, const halftone_limits *limits,
    halftone_picture *picture);
// Draws the next frame on the canvas; how long it stays there, as the file says. HALFTONE_ENDED after the last, or the
// last that can be read.
halftone_status halftone_animation_next(
    halftone_animation *animation, const halftone_limits *limits, int *milliseconds);
// The canvas, averaged to cover the target. False if memory is out.
bool halftone_animation_picture(
    const halftone_animation *animation, halftone_target target, halftone_picture *picture);
// Goes back to before the first frame. False if the file cannot be opened again; there are no more frames then.
bool halftone_animation_rewind(halftone_animation *animation, const halftone_limits *limits);
void halftone_animation_close(halftone_animation *animation);

// Writes opaque pixels as a PNG, quickly rather than small; the count of its bytes, 0 if they are more than `capacity`.
size_t halftone_write_png(
    const uint8_t *rgba, int width, int height, uint8_t *bytes, size_t capacity);

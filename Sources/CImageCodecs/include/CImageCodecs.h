#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The decoders: one function a format, all with the same shape. Each reads a whole file (or what there is of it)
// from memory and gives the first frame as it is stored (EXIF's orientation is the caller's business), reduced.
//
// They are in C because libjpeg and libpng report errors by longjmp. They share no state: every function may run on
// any number of threads at once. Nothing in `bytes` is trusted.

// What a decode may cost. Checked against the header before anything is allocated.
typedef struct {
    int64_t max_pixels;        // width * height
    int64_t max_frame_pixels;  // the same, where the whole frame must be held: interlaced, lossless WebP
    int64_t max_memory;        // bytes libjpeg may take, for progressive files' coefficients above all
    int max_scans;             // scans of a progressive JPEG that are read
    double seconds;            // CPU time of the calling thread
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
    HALFTONE_TOO_SLOW,         // more than `seconds`
} halftone_status;

typedef struct {
    int width, height;                // of `rgba`
    int source_width, source_height;  // of the file
    bool partial;                     // rows or scans are missing; what was not read is transparent
    bool animated;                    // there are further frames (GIF, WebP)
    bool may_be_clear;                // some alpha may be under 255
    uint8_t *rgba;                    // height rows of width * 4 bytes, straight alpha
    char error[200];                  // the library's words
} halftone_picture;

typedef halftone_status halftone_decoder(
    const uint8_t *bytes, size_t count, halftone_target target, const halftone_limits *limits,
    halftone_picture *picture);

// DCT scaling to 1/8, 1/4 or 1/2, then averaged; of a progressive file only the scans that matter at 1/8 and 1/4.
halftone_decoder halftone_decode_jpeg;
// Row by row, averaged while reading; an interlaced file is held whole.
halftone_decoder halftone_decode_png;
// Scaled while decoding; of an animation the first frame on its canvas.
halftone_decoder halftone_decode_webp;
// The first frame on its canvas.
halftone_decoder halftone_decode_gif;

// Frees what a decoder gave, also after a failure; `picture` must have been zeroed before its first use.
void halftone_picture_free(halftone_picture *picture);

#pragma once
#include "CImageCodecs.h"

// What the decoders have in common: the table of formats, limits, the deadline, and rows averaged to the size wanted.

typedef halftone_status halftone_decoder(
    const uint8_t *bytes, size_t count, halftone_target target, const halftone_limits *limits,
    halftone_picture *picture);

// How a format is decoded; all is NULL in a build without its library.
typedef struct {
    halftone_decoder *decode;
    // Of a library that is loaded when the first file is decoded: its names, up to a NULL, and the search for its
    // functions. Loading takes 2 ms for libtiff and 20 for librsvg, which draws in two dozen others.
    const char *const *libraries;
    bool (*load)(void);
} halftone_codec;

extern const halftone_codec halftone_jpeg, halftone_png, halftone_webp, halftone_gif, halftone_tiff,
    halftone_bmp, halftone_avif, halftone_jxl, halftone_svg;

// Opens the first of `names` that is there, up to a NULL; NULL if none is.
void *halftone_library_open(const char *const *names);
// Puts the address of a function of the library into *function; false if it has none.
bool halftone_library_find(void *library, const char *name, void *function);

// For lists of functions: `FIELD` declares a pointer of each function's own type, `FIND` fills it.
#define HALFTONE_FIELD(name) __typeof__(&name) name;
#define HALFTONE_FIND(name) && halftone_library_find(library, #name, &functions.name)

// Keeps the first words of what went wrong; gives HALFTONE_BROKEN, to be returned.
halftone_status halftone_broken(halftone_picture *picture, const char *words);

// Notes the size of the file's picture, and whether it is allowed; `whole_frame` if all of it must be held.
halftone_status halftone_check_size(
    halftone_picture *picture, int64_t width, int64_t height, bool whole_frame,
    const halftone_limits *limits);

// Keeps a copy of an ICC profile; one that is empty or too large is left out.
void halftone_keep_profile(halftone_picture *picture, const uint8_t *bytes, size_t count);

// A target that is nowhere larger than the source and nowhere 0.
halftone_target halftone_clamped(halftone_target target, int width, int height);

// Allocates the picture's pixels, transparent, at the least size of the source's shape that covers the target.
halftone_status halftone_make_scaled(halftone_picture *picture, halftone_target target);

// A limit in CPU time of this thread, or a flag raised on another.
typedef struct {
    double end;
    unsigned questions;
    const halftone_flag *cancelled;
} halftone_deadline;

halftone_deadline halftone_deadline_for(const halftone_limits *limits);
// Asked for each row: looks at the clock every 16th time only, as asking the kernel costs 0.3 µs.
bool halftone_deadline_passed(halftone_deadline *deadline);
// Asked after work that costs far more than looking at the clock.
bool halftone_deadline_passed_now(const halftone_deadline *deadline);

// Takes rows from top to bottom and averages boxes of them into the picture's pixels.
//
// Averages are of light. The boxes are the picture's pixels to 1/1024 of a pixel of the file: what lies on an edge
// counts for both sides. Colours are weighted with alpha, or transparent pixels would bleed into their neighbours.
typedef struct {
    halftone_picture *picture;
    int width, height;  // of the rows taken
    int factor;
    int next;           // the row to be taken next
    int gathered;       // rows in `sums`, in 1024ths
    int filled;         // rows of the picture that are done
    uint8_t *row;       // where rows are put if they need averaging
    struct halftone_span *spans;  // the boxes along a row
    uint64_t *narrowed;           // the sums of one row's boxes, four for each
    uint64_t *sums;               // of `narrowed` over the rows of a box
} halftone_shrinker;

// Allocates the picture for rows of width × height, at the least size that is a whole fraction and covers `target`.
halftone_status halftone_shrinker_open(
    halftone_shrinker *shrinker, halftone_picture *picture, int width, int height,
    halftone_target target);

// Where the next row is to be put, width * 4 bytes; then call _push.
uint8_t *halftone_shrinker_row(halftone_shrinker *shrinker);
void halftone_shrinker_push(halftone_shrinker *shrinker);

// Ends the box in work, if there is one, and frees the buffers. A file that broke after some rows of the picture is one
// that is decoded in part: gives `status`, or what it becomes by that.
halftone_status halftone_shrinker_close(halftone_shrinker *shrinker, halftone_status status);

// Shrinks `rows` of a frame that is held whole, of width × height pixels of 4 bytes; no deadline if NULL.
halftone_status halftone_shrink_frame(
    const uint8_t *rgba, int width, int height, int rows, halftone_target target,
    halftone_deadline *deadline, halftone_picture *picture);

static inline uint32_t halftone_big_endian(const uint8_t *bytes, int length) {
    uint32_t value = 0;
    for (int i = 0; i < length; i++) value = value << 8 | bytes[i];
    return value;
}

static inline uint32_t halftone_little_endian(const uint8_t *bytes, int length) {
    uint32_t value = 0;
    for (int i = length - 1; i >= 0; i--) value = value << 8 | bytes[i];
    return value;
}

#pragma once
#include "CImageCodecs.h"
#include "CLazyLibraries.h"
#include <stdlib.h>
#include <string.h>

// Shared by all decoders: the format table, limits, the deadline, and averaging rows to the target size.

// A CPU time limit for this thread, combined with a flag that another thread can raise.
typedef struct {
    double end;
    unsigned questions;
    const void *cancelled;
} halftone_deadline;

halftone_deadline halftone_deadline_for(const halftone_limits *limits);
// Called for each row: reads the clock only every 16th time, as the system call costs 0.3 µs.
bool halftone_deadline_passed(halftone_deadline *deadline);
// Called after work that costs far more than reading the clock.
bool halftone_deadline_passed_now(const halftone_deadline *deadline);

// One decode: its input, limits and output.
typedef struct {
    const uint8_t *bytes;
    size_t count, position;  // `position`: how far a library has read
    int file;          // of which `bytes` are the beginning, for a container; negative if they are all
    halftone_target target;
    bool header_only;  // of JPEG and PNG: notes the size and the colours, and leaves the pixels
    const halftone_limits *limits;
    halftone_deadline deadline;
    halftone_picture *picture;
} halftone_job;

// A job for the whole picture; its deadline starts now.
halftone_job halftone_job_for(
    const uint8_t *bytes, size_t count, const halftone_limits *limits, halftone_picture *picture);

// Copies up to `count` of the next bytes of the file, for libraries that read incrementally.
size_t halftone_take(halftone_job *job, void *target, size_t count);

// For lists of functions: `FIELD` declares a pointer of the function's type, `FIND` the slot to fill, and `DECLARE` both for a whole list.
#define HALFTONE_FIELD(name) __typeof__(&name) name;
#define HALFTONE_FIND(name) {#name, &functions.name},
#define HALFTONE_DECLARE(list) \
    static struct { list(HALFTONE_FIELD) } functions; \
    static const halftone_function places[] = {list(HALFTONE_FIND) {0}};

typedef struct halftone_player halftone_player;

// The decoder of a format; all members are NULL in a build without its library.
typedef struct {
    halftone_status (*decode)(halftone_job *job);
    const halftone_player *player;  // of its animations, if it has any that are played
    // Those of a library that is loaded when the first file is decoded, otherwise NULL. Loading takes 2 ms for libtiff and 20 for librsvg,
    // which pulls in two dozen others.
    const halftone_function *functions;
    halftone_library library;
    bool (*start)(void);  // opens what is needed besides the library; false if that is missing; may be NULL
} halftone_codec;

extern const halftone_codec halftone_jpeg, halftone_png, halftone_webp, halftone_gif, halftone_tiff,
    halftone_avif, halftone_jxl, halftone_heic, halftone_still, halftone_container,
    halftone_svg, halftone_pdf;
extern const halftone_player halftone_png_player;
// Indexed by halftone_format.
extern const halftone_codec *const halftone_codecs[];

// Keeps the first error message; always returns HALFTONE_BROKEN.
halftone_status halftone_broken(halftone_picture *picture, const char *words);

// Stores the source size and checks it against the limits; `whole_frame` if the whole picture must be held.
halftone_status halftone_check_size(
    halftone_job *job, int64_t width, int64_t height, bool whole_frame);

// Keeps a copy of an ICC profile; ignores one that is empty or too large.
void halftone_keep_profile(halftone_picture *picture, const uint8_t *bytes, size_t count);

// Converts inks to RGB in place without a profile: each colour is what passes through cyan, magenta or yellow, and black.
void halftone_plain_inks(const halftone_colors *colors, uint8_t *pixels, size_t count);

// Clamps a target to the source's size; an empty one becomes the whole size.
halftone_target halftone_clamped(halftone_target target, int width, int height);

// The target, doubled for files with so many bytes per pixel that their texture is fine: libraries that shrink code values, not light,
// darken it (grass and moss by 2 to 3 L* at a quarter of their size), and such files are expensive anyway. The source's size must be known.
halftone_target halftone_fine_target(const halftone_job *job);

// Allocates width * height transparent pixels; NULL if out of memory.
uint8_t *halftone_blank(int width, int height);

// Allocates a copy; NULL if out of memory.
static inline uint8_t *halftone_copy(const uint8_t *bytes, size_t count) {
    uint8_t *copy = malloc(count);
    if (copy) memcpy(copy, bytes, count);
    return copy;
}

// Divides the colours of premultiplied pixels by their alpha.
void halftone_unpremultiply(uint8_t *rgba, size_t count);

// Allocates the picture's pixels, transparent, at the smallest size with the source's aspect ratio that covers the target.
halftone_status halftone_make_scaled(halftone_job *job);

// Takes rows from top to bottom and averages boxes of them into the picture's pixels.
//
// Averages are of linear light. The boxes are the picture's pixels to 1/1024 of a source pixel: a pixel on an edge contributes to both
// sides. Colours are weighted by alpha, or transparent pixels would bleed into their neighbours.
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

// Allocates the picture for rows of width × height, at the smallest integer fraction that covers the target.
halftone_status halftone_shrinker_open(
    halftone_shrinker *shrinker, halftone_job *job, int width, int height);

// Returns the buffer for the next row, width * 4 bytes; call _push when it is filled.
uint8_t *halftone_shrinker_row(halftone_shrinker *shrinker);
void halftone_shrinker_push(halftone_shrinker *shrinker);

// Completes an unfinished box and frees the buffers. If some rows of a broken file were decoded, HALFTONE_BROKEN becomes HALFTONE_DECODED,
// in part.
halftone_status halftone_shrinker_close(halftone_shrinker *shrinker, halftone_status status);

// Shrinks the first `rows` of width × height pixels, which are `stride` bytes apart.
halftone_status halftone_shrink_rows(
    halftone_job *job, const uint8_t *rgba, size_t stride, int width, int height, int rows);

// Shrinks the first `rows` of a whole frame of the source's size, 4 bytes per pixel.
halftone_status halftone_shrink_frame(halftone_job *job, const uint8_t *rgba, int rows);

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

// sRGB's transfer curve (IEC 61966-2-1) as tables, so that pixels are averaged as light: the mean of black and white lines is 188, where
// the mean of their code values, 128, would be darker.

enum { HALFTONE_FULL_LIGHT = 65535 };

typedef struct {
    uint16_t of_code[256];
    uint16_t last[256];     // the most light that is still nearest to a code
    uint8_t codes[4096];    // of the least of 16 neighbouring lights
} halftone_light;

// Shared tables, created at the first call; callable from any thread.
const halftone_light *halftone_light_tables(void);

// The nearest code value. Each spans at least 19 units of light, so there is at most one step within 16 of them.
static inline uint8_t halftone_code(const halftone_light *tables, unsigned light) {
    uint8_t code = tables->codes[light >> 4];
    return (uint8_t)(code + (light > tables->last[code]));
}

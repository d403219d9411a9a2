#pragma once
#include "CImageCodecs.h"

// What the decoders have in common: the table of formats, limits, the deadline, and rows averaged to the size wanted.

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

// One decode: what goes in, what it may cost, and what comes out.
typedef struct {
    const uint8_t *bytes;
    size_t count, position;  // `position`: how far a library has read
    halftone_target target;
    bool header_only;  // of JPEG, PNG and JPEG XL: notes the size and the colours, and leaves the pixels
    const halftone_limits *limits;
    halftone_deadline deadline;
    halftone_picture *picture;
} halftone_job;

// A job for the whole picture that begins now.
halftone_job halftone_job_for(
    const uint8_t *bytes, size_t count, const halftone_limits *limits, halftone_picture *picture);

// Copies the next `count` bytes of the file, or what there is of them, for a library that asks for it bit by bit.
size_t halftone_take(halftone_job *job, void *target, size_t count);

// A function of a library, and the pointer that is to become its address.
typedef struct {
    const char *name;
    void *place;
} halftone_function;

// For lists of functions: `FIELD` declares a pointer of each function's own type, `FIND` a place to fill.
#define HALFTONE_FIELD(name) __typeof__(&name) name;
#define HALFTONE_FIND(name) {#name, &functions.name},

typedef struct halftone_player halftone_player;

// How a format is decoded; all is NULL in a build without its library.
typedef struct {
    halftone_status (*decode)(halftone_job *job);
    const halftone_player *player;  // of its animations, if it has any that are played
    // Of a library that is loaded when the first file is decoded: its name, and its functions, up to one without a name.
    // Loading takes 2 ms for libtiff and 20 for librsvg, which draws in two dozen others.
    const char *library;
    const halftone_function *functions;
} halftone_codec;

extern const halftone_codec halftone_jpeg, halftone_png, halftone_webp, halftone_gif, halftone_tiff,
    halftone_bmp, halftone_avif, halftone_jxl, halftone_svg;
extern const halftone_player halftone_png_player;
// By halftone_format.
extern const halftone_codec *const halftone_codecs[];

// Keeps the first words of what went wrong; gives HALFTONE_BROKEN, to be returned.
halftone_status halftone_broken(halftone_picture *picture, const char *words);

// Notes the size of the file's picture, and whether it is allowed; `whole_frame` if all of it must be held.
halftone_status halftone_check_size(
    halftone_job *job, int64_t width, int64_t height, bool whole_frame);

// Keeps a copy of an ICC profile; one that is empty or too large is left out.
void halftone_keep_profile(halftone_picture *picture, const uint8_t *bytes, size_t count);

// A target that is nowhere larger than the source and nowhere 0.
halftone_target halftone_clamped(halftone_target target, int width, int height);

// The target, or twice that where the file spends so many bytes a pixel that its texture is fine: libraries that shrink
// codes, not light, darken that (grass and moss by 2 to 3 L* at a quarter of their size), and such files cost much anyway.
halftone_target halftone_fine_target(const halftone_job *job, int width, int height);

// Allocates the picture's pixels, transparent, at the least size of the source's shape that covers the target.
halftone_status halftone_make_scaled(halftone_job *job);

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

// Allocates the picture for rows of width × height, at the least size that is a whole fraction and covers the target.
halftone_status halftone_shrinker_open(
    halftone_shrinker *shrinker, halftone_job *job, int width, int height);

// Where the next row is to be put, width * 4 bytes; then call _push.
uint8_t *halftone_shrinker_row(halftone_shrinker *shrinker);
void halftone_shrinker_push(halftone_shrinker *shrinker);

// Ends the box in work, if there is one, and frees the buffers. A file that broke after some rows of the picture is one
// that is decoded in part: gives `status`, or what it becomes by that.
halftone_status halftone_shrinker_close(halftone_shrinker *shrinker, halftone_status status);

// Shrinks the first `rows` of a frame that is held whole: the file's picture in pixels of 4 bytes.
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

// sRGB's transfer curve (IEC 61966-2-1) as tables, so that pixels are averaged as light: the mean of black and white
// lines is 188, where the mean of their codes, 128, would be darker.

enum { HALFTONE_FULL_LIGHT = 65535 };

typedef struct {
    uint16_t of_code[256];
    uint16_t last[256];     // the most light that is still nearest to a code
    uint8_t codes[4096];    // of the least of 16 neighbouring lights
} halftone_light;

// The same for all, made at the first call; on any thread.
const halftone_light *halftone_light_tables(void);

// The nearest code. A code is at least 19 lights wide, so that there is no more than one step within 16 of them.
static inline uint8_t halftone_code(const halftone_light *tables, unsigned light) {
    uint8_t code = tables->codes[light >> 4];
    return (uint8_t)(code + (light > tables->last[code]));
}

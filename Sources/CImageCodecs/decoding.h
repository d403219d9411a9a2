#pragma once
#include "CImageCodecs.h"

// What the decoders have in common: limits, the deadline, and rows averaged to the size wanted.

// Keeps the first words of what went wrong; gives HALFTONE_BROKEN, to be returned.
halftone_status halftone_broken(halftone_picture *picture, const char *words);

// Notes the size of the file's picture, and whether it is allowed; `whole_frame` if all of it must be held.
halftone_status halftone_check_size(
    halftone_picture *picture, int64_t width, int64_t height, bool whole_frame,
    const halftone_limits *limits);

// A limit in CPU time of this thread, or a flag raised on another. Asking the kernel costs 0.3 µs, so only every
// 16th question does.
typedef struct {
    double end;
    unsigned questions;
    const halftone_flag *cancelled;
} halftone_deadline;

halftone_deadline halftone_deadline_for(const halftone_limits *limits);
bool halftone_deadline_passed(halftone_deadline *deadline);

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
// False if memory is out.
bool halftone_shrinker_open(
    halftone_shrinker *shrinker, halftone_picture *picture, int width, int height,
    halftone_target target);

// Where the next row is to be put, width * 4 bytes; then call _push.
uint8_t *halftone_shrinker_row(halftone_shrinker *shrinker);
void halftone_shrinker_push(halftone_shrinker *shrinker);

// Ends the box in work, if there is one, and frees the buffers. Whether any row of the picture is there.
bool halftone_shrinker_close(halftone_shrinker *shrinker);

// Shrinks a frame that is held whole: width × height pixels of 4 bytes.
halftone_status halftone_shrink_frame(
    const uint8_t *rgba, int width, int height, halftone_target target,
    halftone_deadline *deadline, halftone_picture *picture);

// Keeps a copy of an ICC profile; one that is empty or too large is left out.
void halftone_keep_profile(halftone_picture *picture, const uint8_t *bytes, size_t count);

// A target that is nowhere larger than the source and nowhere 0.
halftone_target halftone_clamped(halftone_target target, int width, int height);

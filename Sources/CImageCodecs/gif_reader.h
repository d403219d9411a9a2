#pragma once
#include "decoding.h"
#include <gif_lib.h>

// A GIF in memory, read from its beginning to its end by giflib.
typedef struct {
    GifFileType *gif;
    halftone_deadline deadline;
    bool is_late;        // whether the search for a frame ran into the deadline
    int clear;           // the transparent palette index of the frame found, or NO_TRANSPARENT_COLOR
    int disposal;        // what becomes of that frame before the next one
    int centiseconds;    // how long it stays
    int plays;           // how often all of it is to be shown, as far as is known by now; 0 for ever
    const uint8_t *bytes;
    size_t count, position;
} gif_reader;

// Opens the file; `reader` must stay where it is until it is closed. False, with words, if it is none.
bool halftone_gif_open(gif_reader *reader, const halftone_job *job);
void halftone_gif_close(gif_reader *reader);

// Goes on to the next frame; false at the end of the file, or of what can be read of it.
bool halftone_gif_find_frame(gif_reader *reader);

// Notes giflib's words for what went wrong.
halftone_status halftone_gif_broken(gif_reader *reader, halftone_picture *picture);

// The frame's palette, its own or the file's; NULL if there is none.
const ColorMapObject *halftone_gif_palette(const gif_reader *reader);

// The canvas's size, which grows where the first frame reaches beyond it, as browsers do it.
halftone_status halftone_gif_canvas(
    const gif_reader *reader, halftone_picture *picture, int *width, int *height);

// The row of the frame that comes at `place` in the file: those of an interlaced frame are not in order.
int halftone_gif_row(const GifImageDesc *frame, int place);

// Draws a row of the frame's indices over pixels; `room` is how many of them there are.
void halftone_gif_draw_row(
    const gif_reader *reader, const uint8_t *indices, uint8_t *pixels, int room);

#include "gif_reader.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
    gif_reader reader;
    halftone_picture *picture;
    halftone_shrinker shrinker;
    uint8_t *indices;  // a row's, or all rows' if interlaced
    bool *is_read;     // which of all rows are there
} gif_work;

static halftone_status broken(gif_work *work) {
    return halftone_gif_broken(&work->reader, work->picture);
}

// Puts a row of indices on the canvas, which is transparent beside the frame; NULL is an empty row.
static void push_row(gif_work *work, const uint8_t *indices) {
    uint8_t *row = halftone_shrinker_row(&work->shrinker);
    memset(row, 0, (size_t)work->shrinker.width * 4);
    if (indices) {
        int left = work->reader.gif->Image.Left;
        uint8_t *pixels = row + (size_t)left * 4;
        halftone_gif_draw_row(&work->reader, indices, pixels, work->shrinker.width - left);
    }
    halftone_shrinker_push(&work->shrinker);
}

static halftone_status read_rows(gif_work *work) {
    GifFileType *gif = work->reader.gif;
    for (int y = 0; y < gif->Image.Height; y++) {
        if (halftone_deadline_passed(&work->reader.deadline)) return HALFTONE_TOO_SLOW;
        if (DGifGetLine(gif, work->indices, gif->Image.Width) == GIF_ERROR) return broken(work);
        push_row(work, work->indices);
    }
    return HALFTONE_DECODED;
}

static halftone_status read_passes(gif_work *work) {
    GifFileType *gif = work->reader.gif;
    for (int pass = 0; pass < 4; pass++) {
        int y = halftone_gif_starts[pass];
        for (; y < gif->Image.Height; y += halftone_gif_steps[pass]) {
            if (halftone_deadline_passed(&work->reader.deadline)) return HALFTONE_TOO_SLOW;
            uint8_t *row = work->indices + (size_t)y * (size_t)gif->Image.Width;
            if (DGifGetLine(gif, row, gif->Image.Width) == GIF_ERROR) return broken(work);
            work->is_read[y] = true;
        }
    }
    return HALFTONE_DECODED;
}

// A row that did not come looks like the one above it, as in a browser.
static void push_passes(gif_work *work) {
    const GifImageDesc *frame = &work->reader.gif->Image;
    const uint8_t *last = NULL;
    for (int y = 0; y < frame->Height; y++) {
        if (work->is_read[y]) last = work->indices + (size_t)y * (size_t)frame->Width;
        if (last) push_row(work, last);
    }
}

static halftone_status read_frame(gif_work *work) {
    const GifImageDesc *frame = &work->reader.gif->Image;
    size_t rows = frame->Interlace ? (size_t)frame->Height : 1;
    work->indices = calloc(rows, (size_t)frame->Width);
    work->is_read = calloc(rows, sizeof *work->is_read);
    if (!work->indices || !work->is_read) return halftone_broken(work->picture, "out of memory");
    for (int y = 0; y < frame->Top; y++) push_row(work, NULL);
    int above = work->shrinker.next;
    halftone_status status = frame->Interlace ? read_passes(work) : read_rows(work);
    if (frame->Interlace) push_passes(work);
    if (status == HALFTONE_BROKEN && work->shrinker.next > above) {
        work->picture->partial = true;
        return HALFTONE_DECODED;
    }
    for (int y = frame->Top + frame->Height; y < work->shrinker.height; y++) push_row(work, NULL);
    return status;
}

static halftone_status decode(
    gif_work *work, halftone_target target, const halftone_limits *limits) {
    if (!halftone_gif_find_frame(&work->reader))
        return work->reader.is_late ? HALFTONE_TOO_SLOW : broken(work);
    int width, height;
    halftone_status status = halftone_gif_canvas(&work->reader, work->picture, &width, &height);
    if (status != HALFTONE_DECODED) return status;
    bool interlaced = work->reader.gif->Image.Interlace;
    status = halftone_check_size(work->picture, width, height, interlaced, limits);
    if (status != HALFTONE_DECODED) return status;
    work->picture->may_be_clear = true;
    if (!halftone_shrinker_open(&work->shrinker, work->picture, width, height, target))
        return halftone_broken(work->picture, "out of memory");
    return read_frame(work);
}

halftone_status halftone_decode_gif(
    const uint8_t *bytes, size_t count, halftone_target target, const halftone_limits *limits,
    halftone_picture *picture) {
    gif_work work = {.picture = picture};
    halftone_deadline deadline = halftone_deadline_for(limits);
    if (!halftone_gif_open(&work.reader, bytes, count, deadline, picture)) return HALFTONE_BROKEN;
    halftone_status status = decode(&work, target, limits);
    halftone_shrinker_close(&work.shrinker);
    free(work.indices);
    free(work.is_read);
    halftone_gif_close(&work.reader);
    return status;
}

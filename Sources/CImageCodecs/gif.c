#include "gif_reader.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
    gif_reader reader;
    halftone_job *job;
    halftone_shrinker shrinker;
    uint8_t *indices;  // a row's, or all rows' if interlaced
    bool *is_read;     // which of all rows are there
} gif_work;

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

// Rows of an interlaced frame wait until all have come.
static halftone_status read_rows(gif_work *work) {
    GifFileType *gif = work->reader.gif;
    const GifImageDesc *frame = &gif->Image;
    for (int place = 0; place < frame->Height; place++) {
        if (halftone_deadline_passed(&work->reader.deadline)) return HALFTONE_TOO_SLOW;
        int y = halftone_gif_row(frame, place);
        size_t start = frame->Interlace ? (size_t)y * (size_t)frame->Width : 0;
        if (DGifGetLine(gif, work->indices + start, frame->Width) == GIF_ERROR)
            return halftone_gif_broken(&work->reader, work->job->picture);
        if (frame->Interlace) work->is_read[y] = true;
        else push_row(work, work->indices);
    }
    return HALFTONE_DECODED;
}

// A row that did not come looks like the one above it, as in a browser.
static void push_interlaced(gif_work *work) {
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
    if (!work->indices || !work->is_read) return halftone_broken(work->job->picture, "out of memory");
    for (int y = 0; y < frame->Top; y++) push_row(work, NULL);
    int above = work->shrinker.next;
    halftone_status status = read_rows(work);
    if (frame->Interlace) push_interlaced(work);
    if (status == HALFTONE_BROKEN && work->shrinker.next > above) {
        work->job->picture->partial = true;
        return HALFTONE_DECODED;
    }
    for (int y = frame->Top + frame->Height; y < work->shrinker.height; y++) push_row(work, NULL);
    return status;
}

static halftone_status decode_frame(gif_work *work) {
    if (!halftone_gif_find_frame(&work->reader))
        return work->reader.is_late ? HALFTONE_TOO_SLOW
            : halftone_gif_broken(&work->reader, work->job->picture);
    int width, height;
    halftone_status status = halftone_gif_canvas(&work->reader, work->job->picture, &width, &height);
    if (status != HALFTONE_DECODED) return status;
    bool interlaced = work->reader.gif->Image.Interlace;
    status = halftone_check_size(work->job, width, height, interlaced);
    if (status != HALFTONE_DECODED) return status;
    work->job->picture->may_be_clear = true;
    status = halftone_shrinker_open(&work->shrinker, work->job, width, height);
    return status == HALFTONE_DECODED ? read_frame(work) : status;
}

static halftone_status decode(halftone_job *job) {
    gif_work work = {.job = job};
    if (!halftone_gif_open(&work.reader, job)) return HALFTONE_BROKEN;
    halftone_status status = decode_frame(&work);
    // Rows of the canvas above the frame are none of the picture: what it broke after is known already.
    halftone_shrinker_close(&work.shrinker, HALFTONE_DECODED);
    free(work.indices);
    free(work.is_read);
    halftone_gif_close(&work.reader);
    return status;
}

const halftone_codec halftone_gif = {.decode = decode};

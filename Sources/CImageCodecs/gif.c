#include "decoding.h"
#include <gif_lib.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const uint8_t *bytes;
    size_t count, position;
    GifFileType *gif;
    halftone_picture *picture;
    halftone_shrinker shrinker;
    halftone_deadline deadline;
    bool is_late;      // whether the search for a frame ran into the deadline
    int clear;         // the transparent palette index, or -1
    uint8_t *indices;  // a row's, or all rows' if interlaced
    bool *is_read;     // which of all rows are there
} gif_work;

static int take(GifFileType *gif, GifByteType *bytes, int count) {
    gif_work *work = gif->UserData;
    size_t left = work->count - work->position;
    size_t taken = (size_t)count < left ? (size_t)count : left;
    memcpy(bytes, work->bytes + work->position, taken);
    work->position += taken;
    return (int)taken;
}

static halftone_status broken(gif_work *work) {
    const char *words = GifErrorString(work->gif->Error);
    return halftone_broken(work->picture, words ? words : "no picture in it");
}

// Reads an extension's blocks; the graphics control tells the transparent index of the frame that follows.
static bool read_extension(gif_work *work) {
    int code;
    GifByteType *block;
    if (DGifGetExtension(work->gif, &code, &block) == GIF_ERROR) return false;
    while (block) {
        GraphicsControlBlock control;
        // A block is its length, then its bytes.
        if (code == GRAPHICS_EXT_FUNC_CODE
            && DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK)
            work->clear = control.TransparentColor;
        if (DGifGetExtensionNext(work->gif, &block) == GIF_ERROR) return false;
    }
    return true;
}

// Goes on to the next frame; false at the end of the file, or of what can be read of it.
static bool find_frame(gif_work *work) {
    GifRecordType type;
    while (!(work->is_late = halftone_deadline_passed(&work->deadline))) {
        if (DGifGetRecordType(work->gif, &type) == GIF_ERROR) return false;
        if (type == IMAGE_DESC_RECORD_TYPE) return true;
        if (type == TERMINATE_RECORD_TYPE) return false;
        if (type == EXTENSION_RECORD_TYPE && !read_extension(work)) return false;
    }
    return false;
}

// Puts a row of indices on the canvas, which is transparent beside the frame; NULL is an empty row.
static void push_row(gif_work *work, const uint8_t *indices) {
    const GifImageDesc *frame = &work->gif->Image;
    const ColorMapObject *map = frame->ColorMap ? frame->ColorMap : work->gif->SColorMap;
    uint8_t *row = halftone_shrinker_row(&work->shrinker);
    memset(row, 0, (size_t)work->shrinker.width * 4);
    for (int x = 0; indices && x < frame->Width; x++) {
        if (indices[x] == work->clear || indices[x] >= map->ColorCount) continue;
        const GifColorType *color = &map->Colors[indices[x]];
        uint8_t *pixel = row + (size_t)(frame->Left + x) * 4;
        pixel[0] = color->Red;
        pixel[1] = color->Green;
        pixel[2] = color->Blue;
        pixel[3] = 255;
    }
    halftone_shrinker_push(&work->shrinker);
}

static halftone_status read_rows(gif_work *work) {
    const GifImageDesc *frame = &work->gif->Image;
    for (int y = 0; y < frame->Height; y++) {
        if (halftone_deadline_passed(&work->deadline)) return HALFTONE_TOO_SLOW;
        if (DGifGetLine(work->gif, work->indices, frame->Width) == GIF_ERROR) return broken(work);
        push_row(work, work->indices);
    }
    return HALFTONE_DECODED;
}

// The four passes: every 8th row from 0, every 8th from 4, every 4th from 2, every 2nd from 1.
static halftone_status read_passes(gif_work *work) {
    static const int starts[] = {0, 4, 2, 1}, steps[] = {8, 8, 4, 2};
    const GifImageDesc *frame = &work->gif->Image;
    for (int pass = 0; pass < 4; pass++) {
        for (int y = starts[pass]; y < frame->Height; y += steps[pass]) {
            if (halftone_deadline_passed(&work->deadline)) return HALFTONE_TOO_SLOW;
            uint8_t *row = work->indices + (size_t)y * (size_t)frame->Width;
            if (DGifGetLine(work->gif, row, frame->Width) == GIF_ERROR) return broken(work);
            work->is_read[y] = true;
        }
    }
    return HALFTONE_DECODED;
}

// A row that did not come looks like the one above it, as in a browser.
static void push_passes(gif_work *work) {
    const GifImageDesc *frame = &work->gif->Image;
    const uint8_t *last = NULL;
    for (int y = 0; y < frame->Height; y++) {
        if (work->is_read[y]) last = work->indices + (size_t)y * (size_t)frame->Width;
        if (last) push_row(work, last);
    }
}

static halftone_status read_frame(gif_work *work) {
    const GifImageDesc *frame = &work->gif->Image;
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

// Where the frame reaches beyond the canvas, the canvas grows, as browsers do it.
static halftone_status decode(
    gif_work *work, halftone_target target, const halftone_limits *limits) {
    if (!find_frame(work) || DGifGetImageDesc(work->gif) == GIF_ERROR)
        return work->is_late ? HALFTONE_TOO_SLOW : broken(work);
    const GifImageDesc *frame = &work->gif->Image;
    if (frame->Width < 1 || frame->Height < 1 || frame->Left < 0 || frame->Top < 0)
        return halftone_broken(work->picture, "its first frame has no size");
    if (!frame->ColorMap && !work->gif->SColorMap)
        return halftone_broken(work->picture, "it has no palette");
    int width = work->gif->SWidth, height = work->gif->SHeight;
    if (width < frame->Left + frame->Width) width = frame->Left + frame->Width;
    if (height < frame->Top + frame->Height) height = frame->Top + frame->Height;
    halftone_status status =
        halftone_check_size(work->picture, width, height, frame->Interlace, limits);
    if (status != HALFTONE_DECODED) return status;
    work->picture->may_be_clear = true;
    if (!halftone_shrinker_open(&work->shrinker, work->picture, width, height, target))
        return halftone_broken(work->picture, "out of memory");
    return read_frame(work);
}

halftone_status halftone_decode_gif(
    const uint8_t *bytes, size_t count, halftone_target target, const halftone_limits *limits,
    halftone_picture *picture) {
    gif_work work = {
        .bytes = bytes, .count = count, .picture = picture, .clear = NO_TRANSPARENT_COLOR,
        .deadline = halftone_deadline_for(limits)};
    int code = 0;
    work.gif = DGifOpen(&work, take, &code);
    if (!work.gif) {
        const char *words = GifErrorString(code);
        return halftone_broken(picture, words ? words : "no GIF");
    }
    halftone_status status = decode(&work, target, limits);
    halftone_shrinker_close(&work.shrinker);
    if (status == HALFTONE_DECODED && !picture->partial) picture->animated = find_frame(&work);
    free(work.indices);
    free(work.is_read);
    DGifCloseFile(work.gif, &code);
    return status;
}

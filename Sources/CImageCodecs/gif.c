#include "animation.h"
#include <stdlib.h>
#include <string.h>
#include <gif_lib.h>

// A GIF in memory, read sequentially by giflib.
typedef struct {
    GifFileType *gif;
    halftone_job job;
    int clear;         // the transparent palette index of the frame found, or NO_TRANSPARENT_COLOR
    int disposal;      // what becomes of that frame before the next one
    int centiseconds;  // how long it stays
    int plays;         // how often all of it is to be shown, as far as is known by now; 0 for ever
} gif_reader;

static int take(GifFileType *gif, GifByteType *bytes, int count) {
    return (int)halftone_take(gif->UserData, bytes, (size_t)count);
}

// Records giflib's error message.
static halftone_status broken(halftone_picture *picture, int code) {
    const char *words = GifErrorString(code);
    return halftone_broken(picture, words ? words : "no picture in it");
}

static void close_reader(gif_reader *reader) {
    int code = 0;
    if (reader->gif) DGifCloseFile(reader->gif, &code);
}

// The graphics control describes the frame that follows. Netscape's block, a 1 and two bytes, holds the repeat count.
static void note_block(gif_reader *reader, int code, const GifByteType *block, bool *is_netscape) {
    // A block starts with its length.
    GraphicsControlBlock control;
    if (code == GRAPHICS_EXT_FUNC_CODE
        && DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK) {
        reader->clear = control.TransparentColor;
        reader->disposal = control.DisposalMode;
        reader->centiseconds = control.DelayTime;
    }
    if (code != APPLICATION_EXT_FUNC_CODE) return;
    if (block[0] == 11 && (!memcmp(block + 1, "NETSCAPE2.0", 11) || !memcmp(block + 1, "ANIMEXTS1.0", 11)))
        *is_netscape = true;
    else if (*is_netscape && block[0] == 3 && block[1] == 1) {
        int repeats = block[2] | block[3] << 8;
        reader->plays = repeats == 0 ? 0 : repeats + 1;
    }
}

static bool read_extension(gif_reader *reader) {
    int code;
    GifByteType *block;
    bool is_netscape = false;
    if (DGifGetExtension(reader->gif, &code, &block) == GIF_ERROR) return false;
    while (block) {
        note_block(reader, code, block, &is_netscape);
        if (DGifGetExtensionNext(reader->gif, &block) == GIF_ERROR) return false;
    }
    return true;
}

// Advances to the next frame; HALFTONE_ENDED at the end of the file, or of its readable part.
static halftone_status find_frame(gif_reader *reader) {
    reader->clear = NO_TRANSPARENT_COLOR;
    reader->disposal = reader->centiseconds = 0;
    GifRecordType type;
    while (!halftone_deadline_passed(&reader->job.deadline)) {
        if (DGifGetRecordType(reader->gif, &type) == GIF_ERROR || type == TERMINATE_RECORD_TYPE)
            return HALFTONE_ENDED;
        if (type == IMAGE_DESC_RECORD_TYPE)
            return DGifGetImageDesc(reader->gif) == GIF_OK ? HALFTONE_DECODED : HALFTONE_ENDED;
        if (type == EXTENSION_RECORD_TYPE && !read_extension(reader)) return HALFTONE_ENDED;
    }
    return HALFTONE_TOO_SLOW;
}

// The frame's local palette, or else the global one; NULL if there is none.
static const ColorMapObject *palette_of(const gif_reader *reader) {
    const ColorMapObject *own = reader->gif->Image.ColorMap;
    return own ? own : reader->gif->SColorMap;
}

// Opens the file and finds its first frame; the canvas grows to contain it, as in browsers. `reader` must not move, and must be closed even
// after a failure.
static halftone_status open_reader(gif_reader *reader, const halftone_job *job, bool whole_frame) {
    *reader = (gif_reader){.job = *job, .plays = 1};
    int code = 0;
    reader->gif = DGifOpen(&reader->job, take, &code);
    if (!reader->gif) return broken(job->picture, code);
    halftone_status status = find_frame(reader);
    if (status == HALFTONE_ENDED) return broken(job->picture, reader->gif->Error);
    if (status != HALFTONE_DECODED) return status;
    const GifImageDesc *frame = &reader->gif->Image;
    if (frame->Width < 1 || frame->Height < 1 || frame->Left < 0 || frame->Top < 0)
        return halftone_broken(job->picture, "its first frame has no size");
    if (!palette_of(reader)) return halftone_broken(job->picture, "it has no palette");
    int width = reader->gif->SWidth, height = reader->gif->SHeight;
    if (width < frame->Left + frame->Width) width = frame->Left + frame->Width;
    if (height < frame->Top + frame->Height) height = frame->Top + frame->Height;
    return halftone_check_size(&reader->job, width, height, whole_frame || frame->Interlace);
}

// The row number of the frame's `place`-th row in the file. Interlacing stores every 8th row from 0, every 8th from 4, every 4th from 2,
// every 2nd from 1.
static int row_at(const GifImageDesc *frame, int place) {
    static const int starts[] = {0, 4, 2, 1}, steps[] = {8, 8, 4, 2};
    if (!frame->Interlace) return place;
    int pass = 0;
    for (; pass < 3; pass++) {
        int rows = (frame->Height - starts[pass] + steps[pass] - 1) / steps[pass];
        if (place < rows) break;
        place -= rows;
    }
    return starts[pass] + place * steps[pass];
}

// Draws a row of the frame's indices over pixels; `room` is the number of pixels available.
static void draw_row(
    const gif_reader *reader, const uint8_t *indices, uint8_t *pixels, int room) {
    const ColorMapObject *palette = palette_of(reader);
    int width = reader->gif->Image.Width;
    if (width > room) width = room;
    for (int x = 0; x < width; x++, pixels += 4) {
        if (indices[x] == reader->clear || indices[x] >= palette->ColorCount) continue;
        const GifColorType *color = &palette->Colors[indices[x]];
        pixels[0] = color->Red;
        pixels[1] = color->Green;
        pixels[2] = color->Blue;
        pixels[3] = 255;
    }
}

// Decodes only the first frame, averaging it while reading.
typedef struct {
    gif_reader reader;
    halftone_shrinker shrinker;
    uint8_t *indices;  // a row's, or all rows' if interlaced
    bool *is_read;     // which of all rows are there
} gif_work;

// Draws a row of indices on the canvas, which is transparent outside the frame; NULL is an empty row.
static void push_row(gif_work *work, const uint8_t *indices) {
    uint8_t *row = halftone_shrinker_row(&work->shrinker);
    memset(row, 0, (size_t)work->shrinker.width * 4);
    if (indices) {
        int left = work->reader.gif->Image.Left;
        draw_row(&work->reader, indices, row + (size_t)left * 4, work->shrinker.width - left);
    }
    halftone_shrinker_push(&work->shrinker);
}

// Rows of an interlaced frame are kept until all have been read.
static halftone_status read_rows(gif_work *work) {
    GifFileType *gif = work->reader.gif;
    const GifImageDesc *frame = &gif->Image;
    for (int place = 0; place < frame->Height; place++) {
        if (halftone_deadline_passed(&work->reader.job.deadline)) return HALFTONE_TOO_SLOW;
        int y = row_at(frame, place);
        size_t start = frame->Interlace ? (size_t)y * (size_t)frame->Width : 0;
        if (DGifGetLine(gif, work->indices + start, frame->Width) == GIF_ERROR)
            return broken(work->reader.job.picture, gif->Error);
        if (frame->Interlace) work->is_read[y] = true;
        else push_row(work, work->indices);
    }
    return HALFTONE_DECODED;
}

// A missing row repeats the one above it, as in browsers.
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
    if (!work->indices || !work->is_read) return halftone_broken(work->reader.job.picture, "out of memory");
    for (int y = 0; y < frame->Top; y++) push_row(work, NULL);
    int above = work->shrinker.next;
    halftone_status status = read_rows(work);
    if (frame->Interlace) push_interlaced(work);
    if (status == HALFTONE_BROKEN && work->shrinker.next > above) {
        work->reader.job.picture->partial = true;
        return HALFTONE_DECODED;
    }
    for (int y = frame->Top + frame->Height; y < work->shrinker.height; y++) push_row(work, NULL);
    return status;
}

static halftone_status decode(halftone_job *job) {
    gif_work work = {0};
    halftone_status status = open_reader(&work.reader, job, false);
    job->picture->may_be_clear = true;
    if (status == HALFTONE_DECODED)
        status = halftone_shrinker_open(
            &work.shrinker, job, job->picture->source_width, job->picture->source_height);
    if (status == HALFTONE_DECODED) status = read_frame(&work);
    // Not the status: rows above the frame do not count as decoded, and read_frame has already handled broken files.
    halftone_shrinker_close(&work.shrinker, HALFTONE_DECODED);
    free(work.indices);
    free(work.is_read);
    close_reader(&work.reader);
    return status;
}

typedef struct {
    halftone_animation base;
    gif_reader reader;
    bool is_at_frame;  // whether the next frame has been found, but not read
    uint8_t *indices;  // a row
} gif_player;

// The play count precedes the first frame.
static halftone_status open_player(halftone_animation *animation, halftone_job *job) {
    gif_player *player = (gif_player *)animation;
    halftone_status status = open_reader(&player->reader, job, true);
    player->is_at_frame = status == HALFTONE_DECODED;
    job->picture->plays = player->reader.plays;
    return status;
}

static int clamped(int value, int most) {
    return value < 0 ? 0 : value > most ? most : value;
}

// The part of the frame that lies on the canvas.
static halftone_area area_of(const GifImageDesc *frame, const halftone_animation *animation) {
    int left = clamped(frame->Left, animation->width), top = clamped(frame->Top, animation->height);
    return (halftone_area){
        .left = left, .top = top, .width = clamped(frame->Width, animation->width - left),
        .height = clamped(frame->Height, animation->height - top)};
}

static halftone_status draw_rows(gif_player *player) {
    GifFileType *gif = player->reader.gif;
    halftone_area area = player->base.area;
    for (int place = 0; place < gif->Image.Height; place++) {
        if (halftone_deadline_passed(&player->reader.job.deadline)) return HALFTONE_TOO_SLOW;
        // A truncated file ends with the previous frame: half a frame would flash.
        if (DGifGetLine(gif, player->indices, gif->Image.Width) == GIF_ERROR) return HALFTONE_ENDED;
        int y = row_at(&gif->Image, place);
        if (y >= area.height) continue;
        uint8_t *row = halftone_area_row(&player->base, area, y);
        draw_row(&player->reader, player->indices, row, area.width);
    }
    return HALFTONE_DECODED;
}

static halftone_status next(
    halftone_animation *animation, const halftone_limits *limits, int *milliseconds) {
    gif_player *player = (gif_player *)animation;
    gif_reader *reader = &player->reader;
    reader->job.deadline = halftone_deadline_for(limits);
    halftone_status status = player->is_at_frame ? HALFTONE_DECODED : find_frame(reader);
    player->is_at_frame = false;
    if (status != HALFTONE_DECODED) return status;
    const GifImageDesc *frame = &reader->gif->Image;
    if (frame->Width < 1 || !palette_of(reader)) return HALFTONE_ENDED;
    free(player->indices);
    player->indices = malloc((size_t)frame->Width);
    if (!player->indices) return HALFTONE_ENDED;
    if (!halftone_animation_turn(animation, area_of(frame, animation), reader->disposal))
        return HALFTONE_ENDED;
    *milliseconds = reader->centiseconds * 10;
    return draw_rows(player);
}

static void close_player(halftone_animation *animation) {
    gif_player *player = (gif_player *)animation;
    close_reader(&player->reader);
    free(player->indices);
    player->indices = NULL;
}

static const halftone_player player = {
    .size = sizeof(gif_player), .open = open_player, .next = next, .close = close_player};

const halftone_codec halftone_gif = {.decode = decode, .player = &player};

#include "animation.h"
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
static bool read_extension(gif_reader *reader) {
    int code;
    GifByteType *block;  // starts with its length
    bool is_netscape = false;
    if (DGifGetExtension(reader->gif, &code, &block) == GIF_ERROR) return false;
    while (block) {
        GraphicsControlBlock control;
        if (code == GRAPHICS_EXT_FUNC_CODE
            && DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK) {
            reader->clear = control.TransparentColor;
            reader->disposal = control.DisposalMode;
            reader->centiseconds = control.DelayTime;
        } else if (code == APPLICATION_EXT_FUNC_CODE && block[0] == 11) {
            is_netscape |= !memcmp(block + 1, "NETSCAPE2.0", 11) || !memcmp(block + 1, "ANIMEXTS1.0", 11);
        } else if (is_netscape && block[0] == 3 && block[1] == 1) {
            int repeats = block[2] | block[3] << 8;
            reader->plays = repeats == 0 ? 0 : repeats + 1;
        }
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
static halftone_status open_reader(gif_reader *reader, const halftone_job *job) {
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
    return halftone_check_size(&reader->job, width, height, true);
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

// Draws the frame's rows on the canvas and marks them, if they are to be marked; HALFTONE_ENDED if the file ends before the last.
static halftone_status draw_rows(
    gif_reader *reader, const halftone_animation *animation, halftone_area area, bool *is_read) {
    GifFileType *gif = reader->gif;
    uint8_t *indices = malloc((size_t)gif->Image.Width);
    halftone_status status = indices ? HALFTONE_DECODED : HALFTONE_ENDED;
    for (int place = 0; place < gif->Image.Height && status == HALFTONE_DECODED; place++) {
        int y = row_at(&gif->Image, place);
        if (halftone_deadline_passed(&reader->job.deadline)) status = HALFTONE_TOO_SLOW;
        else if (DGifGetLine(gif, indices, gif->Image.Width) == GIF_ERROR) status = HALFTONE_ENDED;
        else if (y < area.height) {
            draw_row(reader, indices, halftone_area_row(animation, area, y), area.width);
            if (is_read) is_read[y] = true;
        }
    }
    free(indices);
    return status;
}

static halftone_status read_first(
    gif_reader *reader, halftone_job *job, const halftone_animation *animation, bool *is_read) {
    halftone_area area = area_of(&reader->gif->Image, animation);
    halftone_status status = draw_rows(reader, animation, area, is_read);
    if (status == HALFTONE_TOO_SLOW) return status;
    if (status == HALFTONE_DECODED) return halftone_shrink_frame(job, animation->canvas, animation->height);
    int end = 0;
    for (int y = 0; y < area.height; y++) {
        // A missing row of an interlaced frame repeats the one above it, as in browsers.
        bool is_repeated = end > 0 && !is_read[y] && reader->gif->Image.Interlace;
        uint8_t *row = halftone_area_row(animation, area, y);
        if (is_repeated) memcpy(row, halftone_area_row(animation, area, y - 1), (size_t)area.width * 4);
        if (is_repeated || is_read[y]) end = y + 1;
    }
    if (end == 0) return broken(job->picture, reader->gif->Error);
    job->picture->partial = true;
    return halftone_shrink_frame(job, animation->canvas, area.top + end);
}

static halftone_status decode(halftone_job *job) {
    gif_reader reader;
    halftone_status status = open_reader(&reader, job);
    job->picture->may_be_clear = true;
    if (status == HALFTONE_DECODED) {
        halftone_animation animation = {
            .width = job->picture->source_width, .height = job->picture->source_height};
        animation.canvas = halftone_blank(animation.width, animation.height);
        bool *is_read = calloc((size_t)animation.height, sizeof *is_read);
        status = animation.canvas && is_read ? read_first(&reader, job, &animation, is_read)
            : halftone_broken(job->picture, "out of memory");
        free(animation.canvas);
        free(is_read);
    }
    close_reader(&reader);
    return status;
}

typedef struct {
    halftone_animation base;
    gif_reader reader;
    bool is_at_frame;  // whether the next frame has been found, but not read
} gif_player;

// The play count precedes the first frame.
static halftone_status open_player(halftone_animation *animation, halftone_job *job) {
    gif_player *player = (gif_player *)animation;
    halftone_status status = open_reader(&player->reader, job);
    player->is_at_frame = status == HALFTONE_DECODED;
    job->picture->plays = player->reader.plays;
    return status;
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
    if (!halftone_animation_turn(animation, area_of(frame, animation), reader->disposal))
        return HALFTONE_ENDED;
    *milliseconds = reader->centiseconds * 10;
    // A truncated file ends with the previous frame: half a frame would flash.
    return draw_rows(reader, animation, animation->area, NULL);
}

static void close_player(halftone_animation *animation) {
    close_reader(&((gif_player *)animation)->reader);
}

static const halftone_player player = {
    .size = sizeof(gif_player), .open = open_player, .next = next, .close = close_player};

const halftone_codec halftone_gif = {.decode = decode, .player = &player};

#include "animation.h"
#include <gif_lib.h>

// A GIF in memory, read sequentially by giflib.
typedef struct {
    halftone_animation base;
    GifFileType *gif;
    halftone_job job;
    bool is_at_frame;  // whether the next frame has been found, but not read
    int clear;         // the transparent palette index of the frame found, or NO_TRANSPARENT_COLOR
    int disposal;      // what becomes of that frame before the next one
    int centiseconds;  // how long it stays
    int plays;         // how often all of it is to be shown, as far as is known by now; 0 for ever
} gif_player;

static int take(GifFileType *gif, GifByteType *bytes, int count) {
    return (int)halftone_take(gif->UserData, bytes, (size_t)count);
}

// Records giflib's error message.
static halftone_status broken(halftone_picture *picture, int code) {
    const char *words = GifErrorString(code);
    return halftone_broken(picture, words ? words : "no picture in it");
}

// The graphics control describes the frame that follows. Netscape's block, a 1 and two bytes, holds the repeat count.
static bool read_extension(gif_player *player) {
    int code;
    GifByteType *block;  // starts with its length
    bool is_netscape = false;
    if (DGifGetExtension(player->gif, &code, &block) == GIF_ERROR) return false;
    while (block) {
        GraphicsControlBlock control;
        if (code == GRAPHICS_EXT_FUNC_CODE
            && DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK) {
            player->clear = control.TransparentColor;
            player->disposal = control.DisposalMode;
            player->centiseconds = control.DelayTime;
        } else if (code == APPLICATION_EXT_FUNC_CODE && block[0] == 11) {
            is_netscape |= !memcmp(block + 1, "NETSCAPE2.0", 11) || !memcmp(block + 1, "ANIMEXTS1.0", 11);
        } else if (is_netscape && block[0] == 3 && block[1] == 1) {
            int repeats = block[2] | block[3] << 8;
            player->plays = repeats == 0 ? 0 : repeats + 1;
        }
        if (DGifGetExtensionNext(player->gif, &block) == GIF_ERROR) return false;
    }
    return true;
}

// Advances to the next frame; HALFTONE_ENDED at the end of the file, or of its readable part.
static halftone_status find_frame(gif_player *player) {
    player->clear = NO_TRANSPARENT_COLOR;
    player->disposal = player->centiseconds = 0;
    GifRecordType type;
    while (!halftone_deadline_passed(&player->job.deadline)) {
        if (DGifGetRecordType(player->gif, &type) == GIF_ERROR || type == TERMINATE_RECORD_TYPE)
            return HALFTONE_ENDED;
        if (type == IMAGE_DESC_RECORD_TYPE)
            return DGifGetImageDesc(player->gif) == GIF_OK ? HALFTONE_DECODED : HALFTONE_ENDED;
        if (type == EXTENSION_RECORD_TYPE && !read_extension(player)) return HALFTONE_ENDED;
    }
    return HALFTONE_TOO_SLOW;
}

// The frame's local palette, or else the global one; NULL if there is none.
static const ColorMapObject *palette_of(const gif_player *player) {
    const ColorMapObject *own = player->gif->Image.ColorMap;
    return own ? own : player->gif->SColorMap;
}

// Opens the file and finds its first frame; the canvas grows to contain it, as in browsers. The play count precedes it.
static halftone_status open_player(halftone_animation *animation, halftone_job *job) {
    halftone_picture *picture = job->picture;
    gif_player *player = (gif_player *)animation;
    player->job = *job;
    player->plays = 1;
    player->is_at_frame = true;
    int code = 0;
    // The player must not move.
    GifFileType *gif = player->gif = DGifOpen(&player->job, take, &code);
    if (!gif) return broken(picture, code);
    halftone_status status = find_frame(player);
    if (status == HALFTONE_ENDED) return broken(picture, gif->Error);
    if (status) return status;
    picture->plays = player->plays;
    const GifImageDesc *frame = &gif->Image;
    if (frame->Width < 1 || frame->Height < 1 || frame->Left < 0 || frame->Top < 0)
        return halftone_broken(picture, "its first frame has no size");
    if (!palette_of(player)) return halftone_broken(picture, "it has no palette");
    int width = gif->SWidth, height = gif->SHeight;
    if (width < frame->Left + frame->Width) width = frame->Left + frame->Width;
    if (height < frame->Top + frame->Height) height = frame->Top + frame->Height;
    return halftone_check_size(job, width, height, true);
}

static void close_player(halftone_animation *animation) {
    gif_player *player = (gif_player *)animation;
    int code = 0;
    if (player->gif) DGifCloseFile(player->gif, &code);
    player->gif = NULL;
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

// Draws the first `width` indices of a row of the frame over pixels.
static void draw_row(
    const gif_player *player, const uint8_t *indices, uint8_t *pixels, int width) {
    const ColorMapObject *palette = palette_of(player);
    for (int x = 0; x < width; x++, pixels += 4) {
        if (indices[x] == player->clear || indices[x] >= palette->ColorCount) continue;
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
static halftone_area area_of(const gif_player *player) {
    const GifImageDesc *frame = &player->gif->Image;
    int width = player->base.width, height = player->base.height;
    int left = clamped(frame->Left, width), top = clamped(frame->Top, height);
    return (halftone_area){
        .left = left, .top = top, .width = clamped(frame->Width, width - left),
        .height = clamped(frame->Height, height - top)};
}

// Draws the frame's rows on the canvas and marks them, if they are to be marked; HALFTONE_ENDED if the file ends before the last.
static halftone_status draw_rows(gif_player *player, halftone_area area, bool *is_read) {
    GifFileType *gif = player->gif;
    uint8_t *indices = malloc((size_t)gif->Image.Width);
    halftone_status status = indices ? HALFTONE_DECODED : HALFTONE_ENDED;
    for (int place = 0; place < gif->Image.Height && !status; place++) {
        int y = row_at(&gif->Image, place);
        if (halftone_deadline_passed(&player->job.deadline)) status = HALFTONE_TOO_SLOW;
        else if (DGifGetLine(gif, indices, gif->Image.Width) == GIF_ERROR) status = HALFTONE_ENDED;
        else if (y < area.height) {
            draw_row(player, indices, halftone_area_row(&player->base, area, y), area.width);
            if (is_read) is_read[y] = true;
        }
    }
    free(indices);
    return status;
}

static halftone_status read_first(gif_player *player, bool *is_read) {
    const halftone_animation *animation = &player->base;
    halftone_job *job = &player->job;
    halftone_area area = area_of(player);
    halftone_status status = draw_rows(player, area, is_read);
    if (status == HALFTONE_TOO_SLOW) return status;
    if (!status) return halftone_shrink_frame(job, animation->canvas, animation->height);
    int end = 0;
    for (int y = 0; y < area.height; y++) {
        // A missing row of an interlaced frame repeats the one above it, as in browsers.
        bool is_repeated = end > 0 && !is_read[y] && player->gif->Image.Interlace;
        uint8_t *row = halftone_area_row(animation, area, y);
        if (is_repeated) memcpy(row, halftone_area_row(animation, area, y - 1), (size_t)area.width * 4);
        if (is_repeated || is_read[y]) end = y + 1;
    }
    if (end == 0) return broken(job->picture, player->gif->Error);
    job->picture->partial = true;
    return halftone_shrink_frame(job, animation->canvas, area.top + end);
}

static halftone_status decode(halftone_job *job) {
    gif_player player = {0};
    halftone_animation *animation = &player.base;
    halftone_status status = open_player(animation, job);
    job->picture->may_be_clear = true;
    if (!status) {
        animation->width = job->picture->source_width;
        animation->height = job->picture->source_height;
        animation->canvas = halftone_blank(animation->width, animation->height);
        bool *is_read = calloc((size_t)animation->height, sizeof *is_read);
        status = animation->canvas && is_read ? read_first(&player, is_read)
            : halftone_broken(job->picture, "out of memory");
        free(animation->canvas);
        free(is_read);
    }
    close_player(animation);
    return status;
}

static halftone_status next(
    halftone_animation *animation, const halftone_limits *limits, int *milliseconds) {
    gif_player *player = (gif_player *)animation;
    player->job.deadline = halftone_deadline_for(limits);
    halftone_status status = player->is_at_frame ? HALFTONE_DECODED : find_frame(player);
    player->is_at_frame = false;
    if (status) return status;
    if (player->gif->Image.Width < 1 || !palette_of(player)) return HALFTONE_ENDED;
    if (!halftone_animation_turn(animation, area_of(player), player->disposal)) return HALFTONE_ENDED;
    *milliseconds = player->centiseconds * 10;
    // A truncated file ends with the previous frame: half a frame would flash.
    return draw_rows(player, animation->area, NULL);
}

static const halftone_player player = {
    .size = sizeof(gif_player), .open = open_player, .next = next, .close = close_player};

const halftone_codec halftone_gif = {.decode = decode, .player = &player};

#include "animation.h"
#include "gif_reader.h"
#include <stdlib.h>
#include <string.h>

enum { TO_BACKGROUND = 2, TO_PREVIOUS = 3 };

typedef struct {
    halftone_animation base;
    gif_reader reader;
    bool is_at_frame;     // whether the next frame has been found, but not read
    halftone_area area;   // of the frame on the canvas, as far as it lies there
    int disposal;         // of that frame, still to be done
    uint8_t *saved;       // what was under it, if that is to come back
    uint8_t *indices;     // a row
} gif_player;

// Before the next frame, the last one goes. The background is transparent, whatever colour the file names, as in
// browsers.
static void dispose(gif_player *player) {
    if (player->disposal == TO_BACKGROUND) halftone_area_clear(&player->base, player->area);
    if (player->disposal == TO_PREVIOUS && player->saved)
        halftone_area_restore(&player->base, player->area, player->saved);
    free(player->saved);
    player->saved = NULL;
    player->disposal = 0;
}

static int clamped(int value, int most) {
    return value < 0 ? 0 : value > most ? most : value;
}

// The part of the frame that lies on the canvas.
static void place(gif_player *player) {
    const GifImageDesc *frame = &player->reader.gif->Image;
    int left = clamped(frame->Left, player->base.width);
    int top = clamped(frame->Top, player->base.height);
    player->area = (halftone_area){
        .left = left, .top = top, .width = clamped(frame->Width, player->base.width - left),
        .height = clamped(frame->Height, player->base.height - top)};
}

static bool read_row(gif_player *player, int y) {
    gif_reader *reader = &player->reader;
    if (DGifGetLine(reader->gif, player->indices, reader->gif->Image.Width) == GIF_ERROR)
        return false;
    halftone_area area = player->area;
    if (y >= area.height) return true;
    size_t pixel = (size_t)(area.top + y) * (size_t)player->base.width + (size_t)area.left;
    halftone_gif_draw_row(
        reader, player->indices, player->base.canvas + pixel * 4, area.width);
    return true;
}

static halftone_status read_rows(gif_player *player) {
    const GifImageDesc *frame = &player->reader.gif->Image;
    int passes = frame->Interlace ? 4 : 1;
    for (int pass = 0; pass < passes; pass++) {
        int y = frame->Interlace ? halftone_gif_starts[pass] : 0;
        int step = frame->Interlace ? halftone_gif_steps[pass] : 1;
        for (; y < frame->Height; y += step) {
            if (halftone_deadline_passed(&player->reader.deadline)) return HALFTONE_TOO_SLOW;
            // A file cut short ends with the frame before: half a frame would flash.
            if (!read_row(player, y)) return HALFTONE_ENDED;
        }
    }
    return HALFTONE_DECODED;
}

static halftone_status next(
    halftone_animation *animation, const halftone_limits *limits, int *milliseconds) {
    gif_player *player = (gif_player *)animation;
    gif_reader *reader = &player->reader;
    reader->deadline = halftone_deadline_for(limits);
    if (!player->is_at_frame && !halftone_gif_find_frame(reader))
        return reader->is_late ? HALFTONE_TOO_SLOW : HALFTONE_ENDED;
    player->is_at_frame = false;
    // Known once the blocks before the first frame have been read, or those before a later one.
    animation->plays = reader->repeats < 0 ? 1 : reader->repeats == 0 ? 0 : reader->repeats + 1;
    if (reader->gif->Image.Width < 1 || !halftone_gif_palette(reader)) return HALFTONE_ENDED;
    dispose(player);
    place(player);
    free(player->indices);
    player->indices = malloc((size_t)reader->gif->Image.Width);
    if (!player->indices) return HALFTONE_ENDED;
    player->disposal = reader->disposal;
    if (player->disposal == TO_PREVIOUS) {
        player->saved = malloc((size_t)player->area.width * (size_t)player->area.height * 4 + 1);
        if (!player->saved) return HALFTONE_ENDED;
        halftone_area_save(animation, player->area, player->saved);
    }
    *milliseconds = reader->centiseconds * 10;
    return read_rows(player);
}

static bool rewind_file(halftone_animation *animation) {
    gif_player *player = (gif_player *)animation;
    halftone_picture ignored = {0};
    free(player->saved);
    player->saved = NULL;
    player->disposal = 0;
    player->is_at_frame = false;
    memset(animation->canvas, 0, (size_t)animation->width * (size_t)animation->height * 4);
    halftone_gif_close(&player->reader);
    return halftone_gif_open(
        &player->reader, animation->bytes, animation->count, player->reader.deadline, &ignored);
}

static void close_file(halftone_animation *animation) {
    gif_player *player = (gif_player *)animation;
    halftone_gif_close(&player->reader);
    free(player->saved);
    free(player->indices);
}

// The canvas is as large as the first frame makes it.
static bool measure(
    const uint8_t *bytes, size_t count, const halftone_limits *limits, halftone_picture *picture,
    int *width, int *height) {
    gif_reader reader;
    if (!halftone_gif_open(&reader, bytes, count, halftone_deadline_for(limits), picture))
        return false;
    bool fits = halftone_gif_find_frame(&reader)
        && halftone_gif_canvas(&reader, picture, width, height) == HALFTONE_DECODED
        && halftone_check_size(picture, *width, *height, true, limits) == HALFTONE_DECODED;
    if (!fits) halftone_gif_broken(&reader, picture);
    halftone_gif_close(&reader);
    return fits;
}

halftone_animation *halftone_play_gif(
    uint8_t *bytes, size_t count, const halftone_limits *limits, halftone_picture *picture) {
    int width, height;
    if (!measure(bytes, count, limits, picture, &width, &height)) {
        free(bytes);
        return NULL;
    }
    gif_player *player = (gif_player *)halftone_animation_make(
        sizeof(gif_player), bytes, count, width, height);
    if (!player) return NULL;
    player->base.next = next;
    player->base.rewind = rewind_file;
    player->base.close = close_file;
    halftone_deadline deadline = halftone_deadline_for(limits);
    if (halftone_gif_open(&player->reader, bytes, count, deadline, picture)) {
        // Finds how often it is to be played.
        player->is_at_frame = halftone_gif_find_frame(&player->reader);
        int repeats = player->reader.repeats;
        player->base.plays = repeats < 0 ? 1 : repeats == 0 ? 0 : repeats + 1;
        return &player->base;
    }
    halftone_animation_close(&player->base);
    return NULL;
}

#include "animation.h"
#include "gif_reader.h"
#include <stdlib.h>

typedef struct {
    halftone_animation base;
    gif_reader reader;
    bool is_at_frame;  // whether the next frame has been found, but not read
    uint8_t *indices;  // a row
} gif_player;

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

static halftone_status read_rows(gif_player *player) {
    gif_reader *reader = &player->reader;
    const GifImageDesc *frame = &reader->gif->Image;
    halftone_area area = player->base.area;
    for (int place = 0; place < frame->Height; place++) {
        if (halftone_deadline_passed(&reader->deadline)) return HALFTONE_TOO_SLOW;
        // A file cut short ends with the frame before: half a frame would flash.
        if (DGifGetLine(reader->gif, player->indices, frame->Width) == GIF_ERROR)
            return HALFTONE_ENDED;
        int y = halftone_gif_row(frame, place);
        if (y >= area.height) continue;
        halftone_gif_draw_row(
            reader, player->indices, halftone_area_row(&player->base, area, y), area.width);
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
    const GifImageDesc *frame = &reader->gif->Image;
    if (frame->Width < 1 || !halftone_gif_palette(reader)) return HALFTONE_ENDED;
    free(player->indices);
    player->indices = malloc((size_t)frame->Width);
    if (!player->indices) return HALFTONE_ENDED;
    if (!halftone_animation_turn(animation, area_of(frame, animation), reader->disposal))
        return HALFTONE_ENDED;
    *milliseconds = reader->centiseconds * 10;
    return read_rows(player);
}

static bool rewind_file(halftone_animation *animation) {
    gif_player *player = (gif_player *)animation;
    halftone_picture ignored = {0};
    halftone_job job = {
        .bytes = animation->bytes, .count = animation->count,
        .deadline = player->reader.deadline, .picture = &ignored};
    player->is_at_frame = false;
    halftone_gif_close(&player->reader);
    return halftone_gif_open(&player->reader, &job);
}

static void close_file(halftone_animation *animation) {
    gif_player *player = (gif_player *)animation;
    halftone_gif_close(&player->reader);
    free(player->indices);
}

// The canvas is as large as the first frame makes it.
static bool measure(halftone_job *job) {
    gif_reader reader;
    int width, height;
    if (!halftone_gif_open(&reader, job)) return false;
    bool fits = halftone_gif_find_frame(&reader)
        && halftone_gif_canvas(&reader, job->picture, &width, &height) == HALFTONE_DECODED
        && halftone_check_size(job, width, height, true) == HALFTONE_DECODED;
    if (!fits) halftone_gif_broken(&reader, job->picture);
    halftone_gif_close(&reader);
    return fits;
}

halftone_animation *halftone_play_gif(halftone_job *job) {
    if (!measure(job)) return NULL;
    gif_player *player = (gif_player *)halftone_animation_make(sizeof(gif_player), job);
    if (!player) return NULL;
    player->base.next = next;
    player->base.rewind = rewind_file;
    player->base.close = close_file;
    if (halftone_gif_open(&player->reader, job)) {
        // How often it is to be played stands before the first frame.
        player->is_at_frame = halftone_gif_find_frame(&player->reader);
        player->base.plays = player->reader.plays;
        return &player->base;
    }
    halftone_animation_close(&player->base);
    return NULL;
}

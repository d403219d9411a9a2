#include "animation.h"

// A frame may take only a few bytes; this many last more than an hour at 40 ms each.
static const int max_frames = 100000;

halftone_status halftone_animation_open(
    halftone_format format, const uint8_t *bytes, size_t count, const halftone_limits *limits,
    halftone_picture *picture, halftone_animation **opened) {
    const halftone_player *player = halftone_codecs[format]->player;
    halftone_animation *animation = player && count > 0 ? calloc(1, player->size) : NULL;
    if (!animation) return halftone_broken(picture, "it cannot be played");
    *animation = (halftone_animation){.player = player, .bytes = malloc(count), .count = count};
    halftone_status status = HALFTONE_BROKEN;
    if (animation->bytes) {
        memcpy(animation->bytes, bytes, count);
        halftone_job job = halftone_job_for(animation->bytes, count, limits, picture);
        status = player->open(animation, &job);
    }
    if (status == HALFTONE_DECODED) {
        animation->width = picture->source_width;
        animation->height = picture->source_height;
        animation->canvas = halftone_blank(animation->width, animation->height);
        if (!animation->canvas) status = HALFTONE_BROKEN;
    }
    if (status == HALFTONE_BROKEN) halftone_broken(picture, "out of memory");
    if (status == HALFTONE_DECODED) *opened = animation;
    else halftone_animation_close(animation);
    return status;
}

halftone_status halftone_animation_next(
    halftone_animation *animation, const halftone_limits *limits, int *milliseconds) {
    if (animation->frames == max_frames) return HALFTONE_ENDED;
    halftone_status status = animation->player->next(animation, limits, milliseconds);
    if (status == HALFTONE_DECODED) animation->frames++;
    return status;
}

static void forget_saved(halftone_animation *animation) {
    free(animation->saved);
    animation->saved = NULL;
    animation->disposal = 0;
}

bool halftone_animation_rewind(halftone_animation *animation, const halftone_limits *limits) {
    halftone_picture again = {0};
    halftone_job job = halftone_job_for(animation->bytes, animation->count, limits, &again);
    forget_saved(animation);
    memset(animation->canvas, 0, (size_t)animation->width * (size_t)animation->height * 4);
    if (animation->player->close) animation->player->close(animation);
    bool is_open = animation->player->open(animation, &job) == HALFTONE_DECODED;
    halftone_picture_free(&again);
    animation->frames = is_open ? 0 : max_frames;
    return is_open;
}

bool halftone_animation_picture(
    const halftone_animation *animation, halftone_target target, halftone_picture *picture) {
    static const halftone_limits none = {.seconds = 1e9};
    halftone_job job = halftone_job_for(NULL, 0, &none, picture);
    job.target = target;
    picture->source_width = animation->width;
    picture->source_height = animation->height;
    picture->may_be_clear = true;
    return halftone_shrink_frame(&job, animation->canvas, animation->height) == HALFTONE_DECODED;
}

void halftone_animation_close(halftone_animation *animation) {
    if (!animation) return;
    if (animation->player->close) animation->player->close(animation);
    free(animation->saved);
    free(animation->canvas);
    free(animation->bytes);
    free(animation);
}

uint8_t *halftone_area_row(const halftone_animation *animation, halftone_area area, int y) {
    size_t pixel = (size_t)(area.top + y) * (size_t)animation->width + (size_t)area.left;
    return animation->canvas + pixel * 4;
}

void halftone_area_fill(halftone_animation *animation, halftone_area area, const uint8_t *pixels) {
    size_t row_bytes = (size_t)area.width * 4;
    for (int y = 0; y < area.height; y++)
        memcpy(halftone_area_row(animation, area, y), pixels + row_bytes * (size_t)y, row_bytes);
}

bool halftone_animation_turn(halftone_animation *animation, halftone_area area, int disposal) {
    const halftone_area last = animation->area;
    // The background is transparent, whatever colour the file specifies, as in browsers.
    for (int y = 0; animation->disposal == HALFTONE_TO_BACKGROUND && y < last.height; y++)
        memset(halftone_area_row(animation, last, y), 0, (size_t)last.width * 4);
    if (animation->saved) halftone_area_fill(animation, last, animation->saved);
    forget_saved(animation);
    animation->area = area;
    animation->disposal = disposal;
    if (disposal != HALFTONE_TO_PREVIOUS) return true;
    size_t row_bytes = (size_t)area.width * 4;
    animation->saved = malloc(row_bytes * (size_t)area.height + 1);
    for (int y = 0; animation->saved && y < area.height; y++)
        memcpy(
            animation->saved + row_bytes * (size_t)y, halftone_area_row(animation, area, y),
            row_bytes);
    return animation->saved != NULL;
}

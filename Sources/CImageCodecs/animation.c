#include "animation.h"
#include <stdlib.h>
#include <string.h>

// A frame may take a few bytes; so many of them are an hour at 40 ms.
static const int max_frames = 100000;

halftone_animation *halftone_animation_make(size_t size, halftone_job *job) {
    int width = job->picture->source_width, height = job->picture->source_height;
    halftone_animation *animation = calloc(1, size);
    if (animation) {
        *animation = (halftone_animation){
            .bytes = job->bytes, .count = job->count, .width = width, .height = height, .plays = 1,
            .canvas = calloc((size_t)width * (size_t)height, 4)};
        if (animation->canvas) return animation;
    }
    free(animation);
    halftone_broken(job->picture, "out of memory");
    return NULL;
}

halftone_animation *halftone_animation_open(
    halftone_format format, const uint8_t *bytes, size_t count, const halftone_limits *limits,
    halftone_picture *picture) {
    halftone_player *player = format == HALFTONE_GIF ? halftone_play_gif
        : format == HALFTONE_PNG ? halftone_play_png
        : format == HALFTONE_WEBP ? halftone_play_webp : NULL;
    uint8_t *copy = player ? malloc(count ? count : 1) : NULL;
    if (!copy) return NULL;
    memcpy(copy, bytes, count);
    halftone_job job = {
        .bytes = copy, .count = count, .limits = limits,
        .deadline = halftone_deadline_for(limits), .picture = picture};
    halftone_animation *animation = player(&job);
    if (animation)
        animation->owned = copy;
    else
        free(copy);
    return animation;
}

int halftone_animation_plays(const halftone_animation *animation) {
    return animation->plays;
}

halftone_status halftone_animation_next(
    halftone_animation *animation, const halftone_limits *limits, int *milliseconds) {
    if (animation->frames == max_frames) return HALFTONE_ENDED;
    halftone_status status = animation->next(animation, limits, milliseconds);
    if (status == HALFTONE_DECODED) animation->frames++;
    return status;
}

static void forget_saved(halftone_animation *animation) {
    free(animation->saved);
    animation->saved = NULL;
    animation->disposal = 0;
}

bool halftone_animation_rewind(halftone_animation *animation) {
    animation->frames = 0;
    forget_saved(animation);
    memset(animation->canvas, 0, (size_t)animation->width * (size_t)animation->height * 4);
    return animation->rewind(animation);
}

bool halftone_animation_picture(
    const halftone_animation *animation, halftone_target target, halftone_picture *picture) {
    static const halftone_limits none = {.seconds = 1e9};
    halftone_job job = {
        .target = target, .deadline = halftone_deadline_for(&none), .picture = picture};
    picture->source_width = animation->width;
    picture->source_height = animation->height;
    picture->may_be_clear = true;
    return halftone_shrink_frame(&job, animation->canvas, animation->height) == HALFTONE_DECODED;
}

void halftone_animation_close(halftone_animation *animation) {
    if (!animation) return;
    if (animation->close) animation->close(animation);
    free(animation->saved);
    free(animation->canvas);
    free(animation->owned);
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
    // The background is transparent, whatever colour a file names, as in browsers.
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

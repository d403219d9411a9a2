#include "animation.h"
#include <stdlib.h>
#include <string.h>

// A frame may take a few bytes; so many of them are an hour at 40 ms.
static const int max_frames = 100000;

halftone_animation *halftone_animation_make(
    size_t size, uint8_t *bytes, size_t count, int width, int height) {
    halftone_animation *animation = calloc(1, size);
    if (!animation) {
        free(bytes);
        return NULL;
    }
    *animation = (halftone_animation){
        .bytes = bytes, .count = count, .width = width, .height = height, .plays = 1};
    animation->canvas = calloc((size_t)width * (size_t)height, 4);
    return animation;
}

halftone_animation *halftone_animation_open(
    halftone_format format, const uint8_t *bytes, size_t count, const halftone_limits *limits,
    halftone_picture *picture) {
    uint8_t *copy = malloc(count ? count : 1);
    if (!copy) return NULL;
    memcpy(copy, bytes, count);
    halftone_player *player = format == HALFTONE_GIF ? halftone_play_gif
        : format == HALFTONE_PNG ? halftone_play_png : halftone_play_webp;
    halftone_animation *animation = player(copy, count, limits, picture);
    if (!animation) return NULL;
    if (animation->canvas) return animation;
    halftone_broken(picture, "out of memory");
    halftone_animation_close(animation);
    return NULL;
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

bool halftone_animation_rewind(halftone_animation *animation) {
    animation->frames = 0;
    return animation->rewind(animation);
}

bool halftone_animation_picture(
    const halftone_animation *animation, halftone_target target, halftone_picture *picture) {
    picture->source_width = animation->width;
    picture->source_height = animation->height;
    picture->may_be_clear = true;
    halftone_shrinker shrinker = {0};
    bool is_open = halftone_shrinker_open(
        &shrinker, picture, animation->width, animation->height, target);
    size_t row_bytes = (size_t)animation->width * 4;
    for (int y = 0; is_open && y < animation->height; y++) {
        memcpy(
            halftone_shrinker_row(&shrinker), animation->canvas + row_bytes * (size_t)y,
            row_bytes);
        halftone_shrinker_push(&shrinker);
    }
    return halftone_shrinker_close(&shrinker) && is_open;
}

void halftone_animation_close(halftone_animation *animation) {
    if (!animation) return;
    if (animation->close) animation->close(animation);
    free(animation->canvas);
    free(animation->bytes);
    free(animation);
}

static uint8_t *row_of(const halftone_animation *animation, halftone_area area, int y) {
    size_t pixel = (size_t)(area.top + y) * (size_t)animation->width + (size_t)area.left;
    return animation->canvas + pixel * 4;
}

void halftone_area_save(const halftone_animation *animation, halftone_area area, uint8_t *saved) {
    size_t row_bytes = (size_t)area.width * 4;
    for (int y = 0; y < area.height; y++)
        memcpy(saved + row_bytes * (size_t)y, row_of(animation, area, y), row_bytes);
}

void halftone_area_restore(
    halftone_animation *animation, halftone_area area, const uint8_t *saved) {
    size_t row_bytes = (size_t)area.width * 4;
    for (int y = 0; y < area.height; y++)
        memcpy(row_of(animation, area, y), saved + row_bytes * (size_t)y, row_bytes);
}

void halftone_area_clear(halftone_animation *animation, halftone_area area) {
    for (int y = 0; y < area.height; y++)
        memset(row_of(animation, area, y), 0, (size_t)area.width * 4);
}

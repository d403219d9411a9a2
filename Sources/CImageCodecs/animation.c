#include "animation.h"

// A frame may take only a few bytes; this many last more than an hour at 40 ms each.
static const int max_frames = 100000;

static size_t canvas_bytes(const halftone_animation *animation) {
    return (size_t)animation->width * (size_t)animation->height * 4;
}

// Frees what is only needed until the file is closed or opened again.
static void stop(halftone_animation *animation) {
    if (animation->player->close) animation->player->close(animation);
    free(animation->saved);
    animation->saved = NULL;
}

// Opens the file, also again; the canvas becomes blank.
static halftone_status begin(
    halftone_animation *animation, const halftone_limits *limits, halftone_picture *picture) {
    halftone_job job = halftone_job_for(animation->bytes, animation->count, limits, picture);
    stop(animation);
    animation->frames = animation->disposal = 0;
    halftone_status status = animation->player->open(animation, &job);
    if (status) return status;
    animation->width = picture->source_width;
    animation->height = picture->source_height;
    if (animation->canvas) memset(animation->canvas, 0, canvas_bytes(animation));
    else animation->canvas = halftone_blank(animation->width, animation->height);
    return animation->canvas ? status : halftone_broken(picture, "out of memory");
}

halftone_status halftone_animation_open(
    halftone_format format, const uint8_t *bytes, size_t count, const halftone_limits *limits,
    halftone_picture *picture, halftone_animation **opened) {
    const halftone_player *player = halftone_codecs[format]->player;
    halftone_animation *animation = player && count > 0 ? calloc(1, player->size) : NULL;
    if (!animation) return halftone_broken(picture, "it cannot be played");
    *animation = (halftone_animation){
        .player = player, .bytes = halftone_copy(bytes, count), .count = count};
    halftone_status status = animation->bytes ? begin(animation, limits, picture)
        : halftone_broken(picture, "out of memory");
    if (!status) *opened = animation;
    else halftone_animation_close(animation);
    return status;
}

halftone_status halftone_animation_next(
    halftone_animation *animation, const halftone_limits *limits, int *milliseconds) {
    if (animation->frames == max_frames) return HALFTONE_ENDED;
    halftone_status status = animation->player->next(animation, limits, milliseconds);
    if (!status) animation->frames++;
    return status;
}

bool halftone_animation_rewind(halftone_animation *animation, const halftone_limits *limits) {
    halftone_picture again = {0};
    bool is_open = !begin(animation, limits, &again);
    halftone_picture_free(&again);
    if (!is_open) animation->frames = max_frames;
    return is_open;
}

void halftone_animation_picture(
    const halftone_animation *animation, halftone_target target, halftone_picture *picture) {
    static const halftone_limits none = {.seconds = 1e9};
    halftone_job job = halftone_job_for(NULL, 0, &none, picture);
    job.target = target;
    picture->source_width = animation->width;
    picture->source_height = animation->height;
    picture->may_be_clear = true;
    halftone_shrink_frame(&job, animation->canvas, animation->height);
}

void halftone_animation_close(halftone_animation *animation) {
    stop(animation);
    free(animation->canvas);
    free(animation->bytes);
    free(animation);
}

uint8_t *halftone_area_row(const halftone_animation *animation, halftone_area area, int y) {
    size_t pixel = (size_t)(area.top + y) * (size_t)animation->width + (size_t)area.left;
    return animation->canvas + pixel * 4;
}

bool halftone_animation_turn(halftone_animation *animation, halftone_area area, int disposal) {
    const halftone_area last = animation->area;
    if (animation->saved) {
        free(animation->canvas);
        animation->canvas = animation->saved;
        animation->saved = NULL;
    }
    // The background is transparent, whatever colour the file specifies, as in browsers.
    for (int y = 0; animation->disposal == HALFTONE_TO_BACKGROUND && y < last.height; y++)
        memset(halftone_area_row(animation, last, y), 0, (size_t)last.width * 4);
    animation->area = area;
    animation->disposal = disposal;
    if (disposal != HALFTONE_TO_PREVIOUS) return true;
    animation->saved = halftone_copy(animation->canvas, canvas_bytes(animation));
    return animation->saved != NULL;
}

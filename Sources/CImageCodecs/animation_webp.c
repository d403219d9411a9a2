#include "animation.h"
#include <stdlib.h>
#include <string.h>
#include <webp/decode.h>
#include <webp/demux.h>

// libwebp composes the frames itself, on two canvases of its own; ours is a copy, so that all players are alike.
typedef struct {
    halftone_animation base;
    WebPAnimDecoder *decoder;
    int shown_until;  // the end of the frame given last, in milliseconds
} webp_player;

static halftone_status next(
    halftone_animation *animation, const halftone_limits *limits, int *milliseconds) {
    webp_player *player = (webp_player *)animation;
    uint8_t *canvas;
    int end;
    if (limits->cancelled && halftone_flag_is_raised(limits->cancelled)) return HALFTONE_TOO_SLOW;
    // Cannot be interrupted; the limit of the canvas's pixels bounds what one frame costs.
    if (!WebPAnimDecoderHasMoreFrames(player->decoder)
        || !WebPAnimDecoderGetNext(player->decoder, &canvas, &end))
        return HALFTONE_ENDED;
    memcpy(animation->canvas, canvas, (size_t)animation->width * (size_t)animation->height * 4);
    *milliseconds = end - player->shown_until;
    player->shown_until = end;
    return HALFTONE_DECODED;
}

static bool rewind_file(halftone_animation *animation) {
    webp_player *player = (webp_player *)animation;
    WebPAnimDecoderReset(player->decoder);
    player->shown_until = 0;
    return true;
}

static void close_file(halftone_animation *animation) {
    WebPAnimDecoderDelete(((webp_player *)animation)->decoder);
}

halftone_animation *halftone_play_webp(halftone_job *job) {
    WebPBitstreamFeatures features;
    bool fits = WebPGetFeatures(job->bytes, job->count, &features) == VP8_STATUS_OK
        && features.has_animation
        && halftone_check_size(job, features.width, features.height, true) == HALFTONE_DECODED;
    if (!fits) {
        halftone_broken(job->picture, "no animation");
        return NULL;
    }
    halftone_note_webp_colors(job);
    webp_player *player = (webp_player *)halftone_animation_make(sizeof(webp_player), job);
    if (!player) return NULL;
    player->base.next = next;
    player->base.rewind = rewind_file;
    player->base.close = close_file;
    WebPAnimDecoderOptions options;
    WebPAnimDecoderOptionsInit(&options);
    options.color_mode = MODE_RGBA;
    WebPData data = {job->bytes, job->count};
    WebPAnimInfo info;
    player->decoder = WebPAnimDecoderNew(&data, &options);
    if (player->decoder && WebPAnimDecoderGetInfo(player->decoder, &info)) {
        player->base.plays = (int)info.loop_count;
        return &player->base;
    }
    halftone_broken(job->picture, "its frames are broken");
    halftone_animation_close(&player->base);
    return NULL;
}

#include "animation.h"
#include <webp/decode.h>
#include <webp/demux.h>

// Bytes given to the decoder at once: the deadline is checked between portions, and if a lossless picture breaks, the earlier portions are
// kept.
static size_t portion(size_t count) {
    size_t least = 1 << 10, most = 64 << 10;
    size_t sixteenth = count / 16;
    return sixteenth < least ? least : sixteenth > most ? most : sixteenth;
}

static const char *words(VP8StatusCode code) {
    switch (code) {
    case VP8_STATUS_OUT_OF_MEMORY: return "out of memory";
    case VP8_STATUS_BITSTREAM_ERROR: return "the data make no sense";
    case VP8_STATUS_UNSUPPORTED_FEATURE: return "it uses a feature that libwebp lacks";
    case VP8_STATUS_SUSPENDED:
    case VP8_STATUS_NOT_ENOUGH_DATA: return "the file ends early";
    default: return "libwebp refuses it";
    }
}

// Decodes one still picture, scaled to `size`, into `rgba`, whose rows are `stride` bytes apart.
static halftone_status decode_still(
    const halftone_job *job, const uint8_t *bytes, size_t count, halftone_target size,
    uint8_t *rgba, int stride) {
    halftone_picture *picture = job->picture;
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config)) return halftone_broken(picture, "another libwebp");
    VP8StatusCode code = WebPGetFeatures(bytes, count, &config.input);
    if (code != VP8_STATUS_OK) return halftone_broken(picture, words(code));
    config.options.use_scaling =
        config.input.width != size.width || config.input.height != size.height;
    config.options.scaled_width = size.width;
    config.options.scaled_height = size.height;
    config.output.colorspace = MODE_RGBA;
    config.output.is_external_memory = 1;
    config.output.u.RGBA.rgba = rgba;
    config.output.u.RGBA.stride = stride;
    config.output.u.RGBA.size =
        (size_t)stride * (size_t)(size.height - 1) + (size_t)size.width * 4;
    WebPIDecoder *decoder = WebPIDecode(NULL, 0, &config);
    if (!decoder) return halftone_broken(picture, "out of memory");
    bool too_slow = false;
    code = VP8_STATUS_SUSPENDED;
    for (size_t end = 0, step = portion(count); end < count && code == VP8_STATUS_SUSPENDED && !too_slow;) {
        end = count - end > step ? end + step : count;
        code = WebPIUpdate(decoder, bytes, end);
        too_slow = halftone_deadline_passed_now(&job->deadline);
    }
    int rows = 0;
    bool has_rows = WebPIDecGetRGB(decoder, &rows, NULL, NULL, NULL) && rows > 0;
    WebPIDelete(decoder);
    if (too_slow) return HALFTONE_TOO_SLOW;
    if (code != VP8_STATUS_OK && !has_rows) return halftone_broken(picture, words(code));
    picture->partial = code != VP8_STATUS_OK;
    return HALFTONE_DECODED;
}

// Decodes one still picture as our whole picture.
static halftone_status decode_whole(halftone_job *job, const uint8_t *bytes, size_t count) {
    job->target = halftone_fine_target(job);
    halftone_status status = halftone_make_scaled(job);
    if (status) return status;
    halftone_target size = {.width = job->picture->width, .height = job->picture->height};
    return decode_still(job, bytes, count, size, job->picture->rgba, size.width * 4);
}

typedef struct {
    const uint8_t *name, *payload;
    size_t length, there;  // `there`: as much of it as the file holds
} chunk;

static const size_t file_header = 12, chunk_header = 8;

// Reads the chunk at `offset` and advances past it; false at the end (RFC 9649, 2.3).
static bool read_chunk(const uint8_t *bytes, size_t count, size_t *offset, chunk *found) {
    if (*offset >= count || count - *offset <= chunk_header) return false;
    const uint8_t *start = bytes + *offset;
    size_t length = halftone_little_endian(start + 4, 4), left = count - *offset - chunk_header;
    *found = (chunk){
        .name = start, .payload = start + chunk_header, .length = length,
        .there = length < left ? length : left};
    *offset += chunk_header + length + length % 2;
    return true;
}

// A frame of an animation: its rectangle on the canvas, and the chunks of a still picture.
typedef struct {
    int64_t left, top, width, height;
    const uint8_t *bytes;
    size_t count;
} webp_frame;

// Finds the first frame (RFC 9649, 2.7.1.1); libwebp's demuxer does not return a truncated one.
static bool find_frame(const uint8_t *bytes, size_t count, webp_frame *frame) {
    const size_t header = 16;
    size_t offset = file_header;
    for (chunk found; read_chunk(bytes, count, &offset, &found);) {
        if (memcmp(found.name, "ANMF", 4)) continue;
        if (found.there <= header) return false;
        const uint8_t *payload = found.payload;
        *frame = (webp_frame){
            .left = (int64_t)halftone_little_endian(payload, 3) * 2,
            .top = (int64_t)halftone_little_endian(payload + 3, 3) * 2,
            .width = (int64_t)halftone_little_endian(payload + 6, 3) + 1,
            .height = (int64_t)halftone_little_endian(payload + 9, 3) + 1,
            .bytes = payload + header,
            .count = found.there - header};
        return true;
    }
    return false;
}

// Whether the frame lies on the canvas and its own header has the same size.
static bool is_sound(const webp_frame *frame, const halftone_picture *picture) {
    WebPBitstreamFeatures features;
    return frame->left + frame->width <= picture->source_width
        && frame->top + frame->height <= picture->source_height
        && WebPGetFeatures(frame->bytes, frame->count, &features) == VP8_STATUS_OK
        && features.width == frame->width && features.height == frame->height
        && !features.has_animation;
}

static halftone_status decode_animation(halftone_job *job) {
    halftone_picture *picture = job->picture;
    webp_frame frame;
    if (!find_frame(job->bytes, job->count, &frame))
        return halftone_broken(picture, "it has no frame");
    if (!is_sound(&frame, picture)) return halftone_broken(picture, "its first frame is broken");
    picture->may_be_clear = true;
    int width = picture->source_width, height = picture->source_height;
    if (frame.width == width && frame.height == height)
        return decode_whole(job, frame.bytes, frame.count);
    uint8_t *canvas = halftone_blank(width, height);
    if (!canvas) return halftone_broken(picture, "out of memory");
    uint8_t *place = canvas + ((size_t)frame.top * (size_t)width + (size_t)frame.left) * 4;
    halftone_target size = {.width = (int)frame.width, .height = (int)frame.height};
    halftone_status status = decode_still(job, frame.bytes, frame.count, size, place, width * 4);
    if (!status) status = halftone_shrink_frame(job, canvas, height);
    free(canvas);
    return status;
}

// Finds the colour profile, which precedes the pictures (RFC 9649, 2.7.1.4).
static void note_colors(halftone_job *job) {
    size_t offset = file_header;
    for (chunk found; read_chunk(job->bytes, job->count, &offset, &found);) {
        if (found.there < found.length) return;
        if (!memcmp(found.name, "ICCP", 4))
            halftone_keep_profile(job->picture, found.payload, found.length);
    }
}

static halftone_status decode(halftone_job *job) {
    WebPBitstreamFeatures features;
    VP8StatusCode code = WebPGetFeatures(job->bytes, job->count, &features);
    if (code != VP8_STATUS_OK) return halftone_broken(job->picture, words(code));
    // Lossless pictures and those drawn on a canvas are held whole, by libwebp or by us.
    bool is_lossy = features.format == 1 && !features.has_animation;
    halftone_status status = halftone_check_size(job, features.width, features.height, !is_lossy);
    if (status) return status;
    note_colors(job);
    if (features.has_animation) return decode_animation(job);
    job->picture->may_be_clear = features.has_alpha;
    return decode_whole(job, job->bytes, job->count);
}

// libwebp composes the frames on two canvases of its own; ours is a copy, so that all players work alike.
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
    // Cannot be interrupted; the canvas's pixel limit bounds the cost of a frame.
    if (!WebPAnimDecoderHasMoreFrames(player->decoder)
        || !WebPAnimDecoderGetNext(player->decoder, &canvas, &end))
        return HALFTONE_ENDED;
    memcpy(animation->canvas, canvas, (size_t)animation->width * (size_t)animation->height * 4);
    *milliseconds = end - player->shown_until;
    player->shown_until = end;
    return HALFTONE_DECODED;
}

static void close_player(halftone_animation *animation) {
    WebPAnimDecoderDelete(((webp_player *)animation)->decoder);
}

static halftone_status open_player(halftone_animation *animation, halftone_job *job) {
    webp_player *player = (webp_player *)animation;
    player->decoder = NULL;
    player->shown_until = 0;
    WebPBitstreamFeatures features;
    if (WebPGetFeatures(job->bytes, job->count, &features) != VP8_STATUS_OK || !features.has_animation)
        return halftone_broken(job->picture, "no animation");
    halftone_status status = halftone_check_size(job, features.width, features.height, true);
    if (status) return status;
    note_colors(job);
    WebPAnimDecoderOptions options;
    WebPAnimDecoderOptionsInit(&options);
    options.color_mode = MODE_RGBA;
    WebPData data = {job->bytes, job->count};
    WebPAnimInfo info;
    player->decoder = WebPAnimDecoderNew(&data, &options);
    if (!player->decoder || !WebPAnimDecoderGetInfo(player->decoder, &info))
        return halftone_broken(job->picture, "its frames are broken");
    job->picture->plays = (int)info.loop_count;
    return HALFTONE_DECODED;
}

static const halftone_player player = {
    .size = sizeof(webp_player), .open = open_player, .next = next, .close = close_player};

const halftone_codec halftone_webp = {.decode = decode, .player = &player};

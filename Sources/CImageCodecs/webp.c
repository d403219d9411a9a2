#include "decoding.h"
#include <stdlib.h>
#include <string.h>
#include <webp/decode.h>
#include <webp/demux.h>

// Bytes given to the decoder at once: between two portions the deadline is looked at, and of a lossless picture
// that breaks, the portions before are kept.
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

// The least size with the source's aspect ratio that covers the target.
static halftone_target scaled_size(halftone_target target, int width, int height) {
    target = halftone_clamped(target, width, height);
    int64_t by_height = ((int64_t)width * target.height + height - 1) / height;
    int64_t by_width = ((int64_t)height * target.width + width - 1) / width;
    if (by_height >= target.width) return (halftone_target){(int)by_height, target.height};
    return (halftone_target){target.width, (int)by_width};
}

// Gives the decoder the file bit by bit; what it then says.
static VP8StatusCode feed(
    WebPIDecoder *decoder, const uint8_t *bytes, size_t count, halftone_deadline deadline,
    bool *too_slow) {
    VP8StatusCode code = VP8_STATUS_SUSPENDED;
    size_t step = portion(count);
    for (size_t end = 0; end < count && code == VP8_STATUS_SUSPENDED;) {
        end = count - end > step ? end + step : count;
        code = WebPIUpdate(decoder, bytes, end);
        deadline.questions = 15;  // a portion costs far more than looking at the clock
        if ((*too_slow = halftone_deadline_passed(&deadline))) break;
    }
    return code;
}

// Decodes one still picture into `rgba`, of the size given in `size`.
static halftone_status decode_still(
    const uint8_t *bytes, size_t count, halftone_target size, uint8_t *rgba,
    halftone_deadline deadline, halftone_picture *picture) {
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
    config.output.u.RGBA.stride = size.width * 4;
    config.output.u.RGBA.size = (size_t)size.width * (size_t)size.height * 4;
    WebPIDecoder *decoder = WebPIDecode(NULL, 0, &config);
    if (!decoder) return halftone_broken(picture, "out of memory");
    bool too_slow = false;
    code = feed(decoder, bytes, count, deadline, &too_slow);
    int rows = 0;
    bool has_rows = WebPIDecGetRGB(decoder, &rows, NULL, NULL, NULL) && rows > 0;
    WebPIDelete(decoder);
    if (too_slow) return HALFTONE_TOO_SLOW;
    if (code != VP8_STATUS_OK && !has_rows) return halftone_broken(picture, words(code));
    picture->partial = code != VP8_STATUS_OK;
    return HALFTONE_DECODED;
}

static bool allocate(halftone_picture *picture, halftone_target size) {
    picture->width = size.width;
    picture->height = size.height;
    picture->rgba = calloc((size_t)size.width * (size_t)size.height, 4);
    return picture->rgba != NULL;
}

// Puts a frame that is smaller than its canvas where it belongs, row by row.
static void push_on_canvas(
    halftone_shrinker *shrinker, const WebPIterator *frame, const uint8_t *rgba) {
    size_t row_bytes = (size_t)frame->width * 4;
    while (shrinker->next < shrinker->height) {
        int y = shrinker->next - frame->y_offset;
        uint8_t *row = halftone_shrinker_row(shrinker);
        memset(row, 0, (size_t)shrinker->width * 4);
        if (y >= 0 && y < frame->height)
            memcpy(row + frame->x_offset * 4, rgba + row_bytes * (size_t)y, row_bytes);
        halftone_shrinker_push(shrinker);
    }
}

static halftone_status decode_on_canvas(
    const WebPIterator *frame, halftone_target target, halftone_deadline deadline,
    halftone_picture *picture) {
    int width = picture->source_width, height = picture->source_height;
    if (frame->x_offset < 0 || frame->y_offset < 0 || frame->width > width - frame->x_offset
        || frame->height > height - frame->y_offset)
        return halftone_broken(picture, "its first frame lies outside the picture");
    uint8_t *rgba = calloc((size_t)frame->width * (size_t)frame->height, 4);
    if (!rgba) return halftone_broken(picture, "out of memory");
    halftone_target size = {frame->width, frame->height};
    halftone_status status = decode_still(
        frame->fragment.bytes, frame->fragment.size, size, rgba, deadline, picture);
    halftone_shrinker shrinker = {0};
    if (status == HALFTONE_DECODED) {
        if (halftone_shrinker_open(&shrinker, picture, width, height, target))
            push_on_canvas(&shrinker, frame, rgba);
        else
            status = halftone_broken(picture, "out of memory");
        halftone_shrinker_close(&shrinker);
    }
    free(rgba);
    return status;
}

static halftone_status decode_frame(
    const WebPIterator *frame, halftone_target target, const halftone_limits *limits,
    halftone_picture *picture) {
    halftone_deadline deadline = halftone_deadline_in(limits->seconds);
    int width = picture->source_width, height = picture->source_height;
    if (frame->width != width || frame->height != height) {
        halftone_status status = halftone_check_size(picture, width, height, true, limits);
        if (status != HALFTONE_DECODED) return status;
        return decode_on_canvas(frame, target, deadline, picture);
    }
    halftone_target size = scaled_size(target, width, height);
    if (!allocate(picture, size)) return halftone_broken(picture, "out of memory");
    return decode_still(
        frame->fragment.bytes, frame->fragment.size, size, picture->rgba, deadline, picture);
}

static halftone_status decode_animation(
    const uint8_t *bytes, size_t count, halftone_target target, const halftone_limits *limits,
    halftone_picture *picture) {
    WebPData data = {bytes, count};
    WebPDemuxState state;
    WebPDemuxer *demuxer = WebPDemuxPartial(&data, &state);
    WebPIterator frame;
    if (!demuxer || !WebPDemuxGetFrame(demuxer, 1, &frame)) {
        WebPDemuxDelete(demuxer);
        return halftone_broken(picture, "it has no first frame");
    }
    picture->animated = frame.num_frames > 1 || state != WEBP_DEMUX_DONE;
    picture->may_be_clear = true;
    halftone_status status = decode_frame(&frame, target, limits, picture);
    WebPDemuxReleaseIterator(&frame);
    WebPDemuxDelete(demuxer);
    return status;
}

halftone_status halftone_decode_webp(
    const uint8_t *bytes, size_t count, halftone_target target, const halftone_limits *limits,
    halftone_picture *picture) {
    WebPBitstreamFeatures features;
    VP8StatusCode code = WebPGetFeatures(bytes, count, &features);
    if (code != VP8_STATUS_OK) return halftone_broken(picture, words(code));
    halftone_status status =
        halftone_check_size(picture, features.width, features.height, false, limits);
    if (status != HALFTONE_DECODED) return status;
    if (features.has_animation) return decode_animation(bytes, count, target, limits, picture);
    picture->may_be_clear = features.has_alpha;
    halftone_target size = scaled_size(target, features.width, features.height);
    if (!allocate(picture, size)) return halftone_broken(picture, "out of memory");
    return decode_still(
        bytes, count, size, picture->rgba, halftone_deadline_in(limits->seconds), picture);
}

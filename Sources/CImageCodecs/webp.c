#include "animation.h"
#include <stdlib.h>
#include <string.h>
#include <webp/decode.h>

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
    picture->rows = rows;
    return HALFTONE_DECODED;
}

// Decodes one still picture as the whole of ours.
static halftone_status decode_whole(
    const uint8_t *bytes, size_t count, halftone_target target, halftone_deadline deadline,
    halftone_picture *picture) {
    halftone_target size = scaled_size(target, picture->source_width, picture->source_height);
    picture->width = size.width;
    picture->height = size.height;
    picture->rgba = calloc((size_t)size.width * (size_t)size.height, 4);
    if (!picture->rgba) return halftone_broken(picture, "out of memory");
    return decode_still(bytes, count, size, picture->rgba, deadline, picture);
}

// A frame of an animation: its place on the canvas, and the chunks of a still picture.
typedef struct {
    int64_t left, top, width, height;
    const uint8_t *bytes;
    size_t count;
} webp_frame;

static uint32_t little_endian(const uint8_t *bytes, int length) {
    uint32_t value = 0;
    for (int i = length - 1; i >= 0; i--) value = value << 8 | bytes[i];
    return value;
}

// Searches the first frame (RFC 9649, 2.7.1.1); libwebp's demuxer does not give one that is cut short.
static bool find_frame(const uint8_t *bytes, size_t count, webp_frame *frame) {
    const size_t header = 8, frame_header = 16;
    size_t offset = 12;
    while (offset < count && count - offset > header + frame_header) {
        const uint8_t *chunk = bytes + offset, *payload = chunk + header;
        size_t length = little_endian(chunk + 4, 4), left = count - offset - header;
        if (!memcmp(chunk, "ANMF", 4)) {
            if (length > left) length = left;
            if (length < frame_header) return false;
            *frame = (webp_frame){
                .left = (int64_t)little_endian(payload, 3) * 2,
                .top = (int64_t)little_endian(payload + 3, 3) * 2,
                .width = (int64_t)little_endian(payload + 6, 3) + 1,
                .height = (int64_t)little_endian(payload + 9, 3) + 1,
                .bytes = payload + frame_header,
                .count = length - frame_header};
            return true;
        }
        offset += header + length + length % 2;
    }
    return false;
}

// Whether the frame lies on the canvas and its own header says the same size.
static bool is_sound(const webp_frame *frame, const halftone_picture *picture) {
    WebPBitstreamFeatures features;
    return frame->left + frame->width <= picture->source_width
        && frame->top + frame->height <= picture->source_height
        && WebPGetFeatures(frame->bytes, frame->count, &features) == VP8_STATUS_OK
        && features.width == frame->width && features.height == frame->height
        && !features.has_animation;
}

// Puts a frame that is smaller than its canvas where it belongs, row by row.
static void push_on_canvas(
    halftone_shrinker *shrinker, const webp_frame *frame, const uint8_t *rgba) {
    size_t row_bytes = (size_t)frame->width * 4;
    while (shrinker->next < shrinker->height) {
        int64_t y = shrinker->next - frame->top;
        uint8_t *row = halftone_shrinker_row(shrinker);
        memset(row, 0, (size_t)shrinker->width * 4);
        if (y >= 0 && y < frame->height)
            memcpy(row + frame->left * 4, rgba + row_bytes * (size_t)y, row_bytes);
        halftone_shrinker_push(shrinker);
    }
}

static halftone_status decode_on_canvas(
    const webp_frame *frame, halftone_target target, halftone_deadline deadline,
    halftone_picture *picture) {
    uint8_t *rgba = calloc((size_t)frame->width * (size_t)frame->height, 4);
    if (!rgba) return halftone_broken(picture, "out of memory");
    halftone_target size = {(int)frame->width, (int)frame->height};
    halftone_status status =
        decode_still(frame->bytes, frame->count, size, rgba, deadline, picture);
    halftone_shrinker shrinker = {0};
    if (status == HALFTONE_DECODED) {
        int width = picture->source_width, height = picture->source_height;
        if (halftone_shrinker_open(&shrinker, picture, width, height, target))
            push_on_canvas(&shrinker, frame, rgba);
        else
            status = halftone_broken(picture, "out of memory");
        halftone_shrinker_close(&shrinker);
    }
    free(rgba);
    return status;
}

static halftone_status decode_animation(
    const uint8_t *bytes, size_t count, halftone_target target, halftone_deadline deadline,
    halftone_picture *picture) {
    webp_frame frame;
    if (!find_frame(bytes, count, &frame)) return halftone_broken(picture, "it has no frame");
    if (!is_sound(&frame, picture)) return halftone_broken(picture, "its first frame is broken");
    picture->may_be_clear = true;
    if (frame.width == picture->source_width && frame.height == picture->source_height)
        return decode_whole(frame.bytes, frame.count, target, deadline, picture);
    return decode_on_canvas(&frame, target, deadline, picture);
}

// Searches the colour profile, which stands before the pictures (RFC 9649, 2.7.1.4).
void halftone_note_webp_colors(const uint8_t *bytes, size_t count, halftone_picture *picture) {
    const size_t header = 8;
    size_t offset = 12;
    while (offset < count && count - offset > header) {
        const uint8_t *chunk = bytes + offset;
        size_t length = little_endian(chunk + 4, 4), left = count - offset - header;
        if (length > left) return;
        if (!memcmp(chunk, "ICCP", 4)) halftone_keep_profile(picture, chunk + header, length);
        offset += header + length + length % 2;
    }
}

halftone_status halftone_decode_webp(
    const uint8_t *bytes, size_t count, halftone_target target, const halftone_limits *limits,
    halftone_picture *picture) {
    WebPBitstreamFeatures features;
    VP8StatusCode code = WebPGetFeatures(bytes, count, &features);
    if (code != VP8_STATUS_OK) return halftone_broken(picture, words(code));
    // Lossless pictures and those that go on a canvas are held whole by libwebp or by us.
    bool is_lossy = features.format == 1 && !features.has_animation;
    halftone_status status =
        halftone_check_size(picture, features.width, features.height, !is_lossy, limits);
    if (status != HALFTONE_DECODED) return status;
    halftone_note_webp_colors(bytes, count, picture);
    halftone_deadline deadline = halftone_deadline_for(limits);
    if (features.has_animation) return decode_animation(bytes, count, target, deadline, picture);
    picture->may_be_clear = features.has_alpha;
    return decode_whole(bytes, count, target, deadline, picture);
}

#include "animation.h"
#include <arpa/inet.h>

// APNG (PNG, third edition, 11.3.6), which libpng does not support: each frame is rewritten as a PNG of its own, decoded with libpng, and
// composited here.

enum { OVER = 1 };  // blend_op
static const size_t signature_length = 8, framing = 12, header_length = 13;

typedef struct {
    const uint8_t *name, *payload;
    size_t length;
} chunk;

// A frame as its fcTL describes it.
typedef struct {
    halftone_area area;
    int disposal, blend, milliseconds;
} control;

typedef struct {
    halftone_animation base;
    size_t position;              // of the next chunk
    uint32_t sequence;            // the number that the next fcTL or fdAT must have
    const uint8_t *header;        // IHDR's payload
    chunk palette, transparency;  // of all frames, with length 0 if missing
} png_player;

static bool is(const chunk *chunk, const char *name) {
    return !memcmp(chunk->name, name, 4);
}

// Reads the chunk at `position` and advances past it; false at the end, or if the chunk is truncated.
static bool read_chunk(const png_player *player, size_t *position, chunk *found) {
    size_t left = player->base.count - *position;
    if (left < framing) return false;
    const uint8_t *bytes = player->base.bytes + *position;
    size_t length = halftone_big_endian(bytes, 4);
    if (length > left - framing) return false;
    *found = (chunk){.name = bytes + 4, .payload = bytes + 8, .length = length};
    *position += framing + length;
    return true;
}

// Parses an fcTL; false if it is out of sequence or its frame exceeds the canvas.
static bool read_control(png_player *player, const chunk *found, control *control) {
    const uint8_t *payload = found->payload;
    if (found->length != 26 || halftone_big_endian(payload, 4) != player->sequence) return false;
    int64_t width = halftone_big_endian(payload + 4, 4);
    int64_t height = halftone_big_endian(payload + 8, 4);
    int64_t left = halftone_big_endian(payload + 12, 4);
    int64_t top = halftone_big_endian(payload + 16, 4);
    if (width == 0 || height == 0 || left + width > player->base.width
        || top + height > player->base.height)
        return false;
    player->sequence++;
    control->area = (halftone_area){(int)left, (int)top, (int)width, (int)height};
    // A denominator of 0 means hundredths.
    uint32_t numerator = halftone_big_endian(payload + 20, 2);
    uint32_t denominator = halftone_big_endian(payload + 22, 2);
    control->milliseconds = (int)(numerator * 1000 / (denominator ? denominator : 100));
    control->disposal = payload[24] + 1;  // GIF counts from "unspecified"
    control->blend = payload[25];
    return true;
}

// Finds the next fcTL; a default image without a preceding fcTL is not a frame.
static bool find_control(png_player *player, control *control) {
    chunk found;
    while (read_chunk(player, &player->position, &found)) {
        if (is(&found, "IEND")) return false;
        if (is(&found, "fcTL")) return read_control(player, &found, control);
    }
    return false;
}

// Appends a chunk with a zero checksum, which the reader ignores.
static uint8_t *put_chunk(uint8_t *end, const char *name, const uint8_t *payload, size_t length) {
    uint32_t stored = htonl((uint32_t)length);
    memcpy(end, &stored, 4);
    memcpy(end + 4, name, 4);
    if (length) memcpy(end + 8, payload, length);
    memset(end + 8 + length, 0, 4);
    return end + framing + length;
}

// Builds the frame as a file of its own, to be freed by the caller; NULL if it has no data, or they are out of sequence.
static uint8_t *rebuild(png_player *player, halftone_area area, size_t *count) {
    const chunk *palette = &player->palette, *transparency = &player->transparency;
    // No chunk is longer than the one it is made from, and only the last may be missing there.
    uint8_t *file = malloc(player->base.count + framing);
    if (!file) return NULL;
    uint8_t header[13];
    memcpy(header, player->header, header_length);
    const uint32_t sides[] = {htonl((uint32_t)area.width), htonl((uint32_t)area.height)};
    memcpy(header, sides, sizeof sides);
    memcpy(file, player->base.bytes, signature_length);
    uint8_t *end = put_chunk(file + signature_length, "IHDR", header, header_length);
    if (palette->length) end = put_chunk(end, "PLTE", palette->payload, palette->length);
    if (transparency->length)
        end = put_chunk(end, "tRNS", transparency->payload, transparency->length);
    bool is_sound = false;
    // The chunks of the frame end with the next fcTL, the last chunk, or a truncated one.
    chunk found;
    for (size_t next = player->position; read_chunk(player, &next, &found); player->position = next) {
        if (is(&found, "fcTL") || is(&found, "IEND")) break;
        bool numbered = is(&found, "fdAT");
        if (!numbered && !is(&found, "IDAT")) continue;
        size_t skipped = numbered ? 4 : 0;
        is_sound = found.length >= skipped
            && (!numbered || halftone_big_endian(found.payload, 4) == player->sequence++);
        if (!is_sound) break;
        end = put_chunk(end, "IDAT", found.payload + skipped, found.length - skipped);
    }
    if (is_sound) {
        *count = (size_t)(put_chunk(end, "IEND", NULL, 0) - file);
        return file;
    }
    free(file);
    return NULL;
}

static void blend_over(const uint8_t *source, uint8_t *target, int count) {
    for (int i = 0; i < count; i++, source += 4, target += 4) {
        unsigned alpha = source[3], below = target[3] * (255 - alpha);
        unsigned sum = alpha * 255 + below;  // of alpha, times 255
        if (sum == 0) continue;
        for (int c = 0; c < 3; c++)
            target[c] = (uint8_t)((source[c] * alpha * 255 + target[c] * below + sum / 2) / sum);
        target[3] = (uint8_t)((sum + 127) / 255);
    }
}

static halftone_status draw(
    halftone_animation *animation, const control *control, const uint8_t *rgba) {
    halftone_area area = control->area;
    if (!halftone_animation_turn(animation, area, control->disposal)) return HALFTONE_ENDED;
    size_t row_bytes = (size_t)area.width * 4;
    for (int y = 0; y < area.height; y++, rgba += row_bytes) {
        uint8_t *row = halftone_area_row(animation, area, y);
        if (control->blend == OVER) blend_over(rgba, row, area.width);
        else memcpy(row, rgba, row_bytes);
    }
    return HALFTONE_DECODED;
}

static halftone_status next(
    halftone_animation *animation, const halftone_limits *limits, int *milliseconds) {
    png_player *player = (png_player *)animation;
    control control;
    size_t count;
    if (!find_control(player, &control)) return HALFTONE_ENDED;
    uint8_t *file = rebuild(player, control.area, &count);
    if (!file) return HALFTONE_ENDED;
    halftone_picture picture = {0};
    halftone_job job = halftone_job_for(file, count, limits, &picture);
    halftone_status status = halftone_png.decode(&job);
    free(file);
    if (!status)
        status = picture.partial ? HALFTONE_ENDED : draw(animation, &control, picture.rgba);
    else if (status != HALFTONE_TOO_SLOW)
        status = HALFTONE_ENDED;
    halftone_picture_free(&picture);
    *milliseconds = control.milliseconds;
    return status;
}

// Reads the chunks before the frames; false if the file is not an animation.
static bool read_beginning(png_player *player, halftone_picture *picture) {
    size_t position = signature_length;
    chunk found;
    bool moves = false;
    while (read_chunk(player, &position, &found)) {
        if (is(&found, "IHDR") && found.length == header_length) player->header = found.payload;
        if (is(&found, "PLTE")) player->palette = found;
        if (is(&found, "tRNS")) player->transparency = found;
        if (is(&found, "acTL") && found.length == 8) {
            uint32_t plays = halftone_big_endian(found.payload + 4, 4);
            picture->plays = plays > INT32_MAX ? 0 : (int)plays;
            moves = true;
        }
        if (is(&found, "IDAT")) break;
    }
    return moves && player->header;
}

static halftone_status open_player(halftone_animation *animation, halftone_job *job) {
    png_player *player = (png_player *)animation;
    player->position = signature_length;
    player->sequence = 0;
    halftone_job header = *job;
    header.header_only = true;
    halftone_png.decode(&header);
    halftone_status status = halftone_check_size(
        job, job->picture->source_width, job->picture->source_height, true);
    if (status || read_beginning(player, job->picture)) return status;
    return halftone_broken(job->picture, "no animation");
}

const halftone_player halftone_png_player = {
    .size = sizeof(png_player), .open = open_player, .next = next};

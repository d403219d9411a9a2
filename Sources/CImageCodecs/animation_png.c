#include "animation.h"
#include <stdlib.h>
#include <string.h>

// APNG (PNG, third edition, 11.3.6). libpng knows nothing of it: each frame is written as a PNG of its own, of which
// libpng reads the pixels, and put on the canvas here.

enum { KEEP, TO_BACKGROUND, TO_PREVIOUS };  // dispose_op
enum { SOURCE, OVER };                      // blend_op
static const size_t signature_length = 8, framing = 12, header_length = 13;

typedef struct {
    const uint8_t *name, *payload;
    size_t length;
} chunk;

typedef struct {
    halftone_area area;
    int dispose, blend, milliseconds;
} control;

typedef struct {
    halftone_animation base;
    size_t start, position;       // of the first chunk that may belong to a frame, and of the next one to be read
    uint32_t sequence;            // the number that the next fcTL or fdAT must have
    const uint8_t *header;        // IHDR's payload
    chunk palette, transparency;  // of all frames, with length 0 if missing
    control shown;                // the frame on the canvas
    uint8_t *saved;               // what was under it, if that is to come back
} png_player;

static uint32_t big_endian(const uint8_t *bytes, int length) {
    uint32_t value = 0;
    for (int i = 0; i < length; i++) value = value << 8 | bytes[i];
    return value;
}

static bool is(const chunk *chunk, const char *name) {
    return !memcmp(chunk->name, name, 4);
}

// Reads the chunk at `position` and goes past it; false at the end, or if it is cut short.
static bool read_chunk(const halftone_animation *animation, size_t *position, chunk *found) {
    size_t left = animation->count - *position;
    if (left < framing) return false;
    const uint8_t *bytes = animation->bytes + *position;
    size_t length = big_endian(bytes, 4);
    if (length > left - framing) return false;
    *found = (chunk){.name = bytes + 4, .payload = bytes + 8, .length = length};
    *position += framing + length;
    return true;
}

// A delay of n / 0 is one of n hundredths.
static int delay(const uint8_t *payload) {
    uint32_t numerator = big_endian(payload + 20, 2), denominator = big_endian(payload + 22, 2);
    return (int)(numerator * 1000 / (denominator ? denominator : 100));
}

// Reads an fcTL; false if it is out of order or its frame does not lie on the canvas.
static bool read_control(png_player *player, const chunk *found, control *control) {
    const uint8_t *payload = found->payload;
    if (found->length != 26 || big_endian(payload, 4) != player->sequence) return false;
    uint32_t width = big_endian(payload + 4, 4), height = big_endian(payload + 8, 4);
    uint32_t left = big_endian(payload + 12, 4), top = big_endian(payload + 16, 4);
    uint32_t most_width = (uint32_t)player->base.width, most_height = (uint32_t)player->base.height;
    if (!width || !height || left > most_width || width > most_width - left || top > most_height
        || height > most_height - top)
        return false;
    player->sequence++;
    control->area = (halftone_area){(int)left, (int)top, (int)width, (int)height};
    control->milliseconds = delay(payload);
    control->dispose = payload[24];
    control->blend = payload[25];
    // Before the first frame there is nothing to go back to.
    if (player->base.frames == 0 && control->dispose == TO_PREVIOUS)
        control->dispose = TO_BACKGROUND;
    return true;
}

// Appends a chunk; its checksum is left out, as nobody looks at it.
static uint8_t *put_chunk(uint8_t *end, const char *name, const uint8_t *payload, size_t length) {
    for (int i = 0; i < 4; i++) end[i] = (uint8_t)(length >> (24 - i * 8));
    memcpy(end + 4, name, 4);
    if (length) memcpy(end + 8, payload, length);
    memset(end + 8 + length, 0, 4);
    return end + framing + length;
}

// The file's signature, a header with the frame's size, and what its pixels need.
static uint8_t *put_beginning(const png_player *player, const control *control, uint8_t *end) {
    uint8_t header[13];
    memcpy(header, player->header, header_length);
    for (int i = 0; i < 4; i++) {
        header[i] = (uint8_t)(control->area.width >> (24 - i * 8));
        header[4 + i] = (uint8_t)(control->area.height >> (24 - i * 8));
    }
    memcpy(end, player->base.bytes, signature_length);
    end = put_chunk(end + signature_length, "IHDR", header, header_length);
    const chunk *palette = &player->palette, *transparency = &player->transparency;
    if (palette->length) end = put_chunk(end, "PLTE", palette->payload, palette->length);
    if (transparency->length)
        end = put_chunk(end, "tRNS", transparency->payload, transparency->length);
    return end;
}

// Goes past the data that follow an fcTL, copying them to `end` as IDATs unless that is NULL. The end, or NULL if
// there are none or they are out of order.
static uint8_t *take_data(png_player *player, uint8_t *end, size_t *bytes) {
    chunk found;
    size_t position = player->position;
    bool has_data = false;
    uint32_t sequence = player->sequence;
    while (read_chunk(&player->base, &position, &found)) {
        bool numbered = is(&found, "fdAT");
        if (is(&found, "fcTL") || is(&found, "IEND")) break;
        if (numbered && (found.length < 4 || big_endian(found.payload, 4) != sequence++))
            return NULL;
        if (numbered || is(&found, "IDAT")) {
            size_t skipped = numbered ? 4 : 0;
            has_data = true;
            *bytes += framing + found.length - skipped;
            if (end)
                end = put_chunk(end, "IDAT", found.payload + skipped, found.length - skipped);
        }
        player->position = position;
    }
    player->sequence = sequence;
    return has_data ? end : NULL;
}

// The frame that follows the fcTL just read as a file of its own, to be freed; NULL if there is none.
static uint8_t *rebuild(png_player *player, const control *control, size_t *count) {
    size_t room = signature_length + 4 * framing + header_length + player->palette.length
        + player->transparency.length;
    // Twice over the same chunks: first to measure them.
    png_player measured = *player;
    size_t data = 0;
    take_data(&measured, NULL, &data);
    if (data == 0) return NULL;
    uint8_t *file = malloc(room + data);
    if (!file) return NULL;
    data = 0;
    uint8_t *end = take_data(player, put_beginning(player, control, file), &data);
    if (!end) {
        free(file);
        return NULL;
    }
    end = put_chunk(end, "IEND", NULL, 0);
    *count = (size_t)(end - file);
    return file;
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

static void draw(halftone_animation *animation, const control *control, const uint8_t *rgba) {
    halftone_area area = control->area;
    if (control->blend != OVER) {
        halftone_area_restore(animation, area, rgba);
        return;
    }
    for (int y = 0; y < area.height; y++) {
        size_t pixel = (size_t)(area.top + y) * (size_t)animation->width + (size_t)area.left;
        blend_over(
            rgba + (size_t)y * (size_t)area.width * 4, animation->canvas + pixel * 4, area.width);
    }
}

// Before the next frame, the last one goes.
static void dispose(png_player *player) {
    if (player->base.frames > 0 && player->shown.dispose == TO_BACKGROUND)
        halftone_area_clear(&player->base, player->shown.area);
    if (player->saved) halftone_area_restore(&player->base, player->shown.area, player->saved);
    free(player->saved);
    player->saved = NULL;
}

static halftone_status show(
    png_player *player, const control *control, const uint8_t *rgba) {
    dispose(player);
    halftone_area area = control->area;
    if (control->dispose == TO_PREVIOUS) {
        player->saved = malloc((size_t)area.width * (size_t)area.height * 4);
        if (!player->saved) return HALFTONE_ENDED;
        halftone_area_save(&player->base, area, player->saved);
    }
    draw(&player->base, control, rgba);
    player->shown = *control;
    return HALFTONE_DECODED;
}

// Searches the next fcTL; a default image without one before it is no frame.
static bool find_control(png_player *player, control *control) {
    chunk found;
    while (read_chunk(&player->base, &player->position, &found)) {
        if (is(&found, "IEND")) return false;
        if (is(&found, "fcTL")) return read_control(player, &found, control);
    }
    return false;
}

static halftone_status next(
    halftone_animation *animation, const halftone_limits *limits, int *milliseconds) {
    png_player *player = (png_player *)animation;
    control control;
    size_t count;
    if (!find_control(player, &control)) return HALFTONE_ENDED;
    uint8_t *file = rebuild(player, &control, &count);
    if (!file) return HALFTONE_ENDED;
    halftone_picture picture = {0};
    halftone_status status =
        halftone_decode_png(file, count, (halftone_target){0, 0}, limits, &picture);
    free(file);
    if (status == HALFTONE_DECODED)
        status = picture.partial ? HALFTONE_ENDED : show(player, &control, picture.rgba);
    else if (status != HALFTONE_TOO_SLOW)
        status = HALFTONE_ENDED;
    halftone_picture_free(&picture);
    *milliseconds = control.milliseconds;
    return status;
}

static bool rewind_file(halftone_animation *animation) {
    png_player *player = (png_player *)animation;
    player->position = player->start;
    player->sequence = 0;
    free(player->saved);
    player->saved = NULL;
    memset(animation->canvas, 0, (size_t)animation->width * (size_t)animation->height * 4);
    return true;
}

static void close_file(halftone_animation *animation) {
    free(((png_player *)animation)->saved);
}

// Reads what stands before the frames; false if it is no animation.
static bool read_beginning(png_player *player) {
    halftone_animation *animation = &player->base;
    size_t position = signature_length;
    chunk found;
    bool moves = false;
    while (read_chunk(animation, &position, &found)) {
        if (is(&found, "IHDR") && found.length == header_length) player->header = found.payload;
        if (is(&found, "PLTE")) player->palette = found;
        if (is(&found, "tRNS")) player->transparency = found;
        if (is(&found, "acTL") && found.length == 8) {
            uint32_t plays = big_endian(found.payload + 4, 4);
            animation->plays = plays > INT32_MAX ? 0 : (int)plays;
            moves = true;
        }
        if (is(&found, "IDAT")) break;
    }
    player->start = player->position = signature_length;
    return moves && player->header;
}

halftone_animation *halftone_play_png(
    uint8_t *bytes, size_t count, const halftone_limits *limits, halftone_picture *picture) {
    halftone_note_png_colors(bytes, count, limits, picture);
    halftone_status status = halftone_check_size(
        picture, picture->source_width, picture->source_height, true, limits);
    if (status != HALFTONE_DECODED) {
        free(bytes);
        return NULL;
    }
    png_player *player = (png_player *)halftone_animation_make(
        sizeof(png_player), bytes, count, picture->source_width, picture->source_height);
    if (!player) return NULL;
    player->base.next = next;
    player->base.rewind = rewind_file;
    player->base.close = close_file;
    if (read_beginning(player)) return &player->base;
    halftone_broken(picture, "no animation");
    halftone_animation_close(&player->base);
    return NULL;
}

#include "decoding.h"
#include <stdlib.h>
#include <string.h>

// A box has fewer than twice as many rows as this (see box_end), and 255 rows of 255 still fit into 16 bits.
enum { MAX_FACTOR = 128 };

// The end of box `index` of `count` over `length` pixels.
static int box_end(int index, int count, int length) {
    return (int)((int64_t)(index + 1) * length / count);
}

bool halftone_shrinker_open(
    halftone_shrinker *shrinker, halftone_picture *picture, int width, int height,
    halftone_target target) {
    target = halftone_clamped(target, width, height);
    int factor = width / target.width;
    if (height / target.height < factor) factor = height / target.height;
    if (factor > MAX_FACTOR) factor = MAX_FACTOR;
    *shrinker = (halftone_shrinker){
        .picture = picture, .width = width, .height = height, .factor = factor};
    picture->width = width / factor;
    picture->height = height / factor;
    // Zeroed, so that rows which never come are transparent.
    picture->rgba = calloc((size_t)picture->width * (size_t)picture->height, 4);
    if (!picture->rgba) return false;
    if (factor == 1) return true;
    shrinker->row = calloc((size_t)width, 4);
    shrinker->sums = calloc((size_t)width * 4, sizeof *shrinker->sums);
    return shrinker->row && shrinker->sums;
}

uint8_t *halftone_shrinker_row(halftone_shrinker *shrinker) {
    if (shrinker->factor > 1) return shrinker->row;
    halftone_picture *picture = shrinker->picture;
    return picture->rgba + (size_t)shrinker->next * (size_t)picture->width * 4;
}

static void multiply_by_alpha(uint8_t *pixels, int count) {
    for (int i = 0; i < count; i++, pixels += 4) {
        unsigned alpha = pixels[3];
        if (alpha == 255) continue;
        for (int c = 0; c < 3; c++) pixels[c] = (uint8_t)((pixels[c] * alpha + 127) / 255);
    }
}

static void put_mean(const unsigned sums[4], unsigned count, bool may_be_clear, uint8_t *pixel) {
    // Colours were multiplied by alpha / 255; dividing by the sum of alphas gives the weighted mean.
    unsigned weight = may_be_clear ? sums[3] : count * 255;
    for (int c = 0; c < 3; c++) {
        unsigned mean = weight ? (sums[c] * 255 + weight / 2) / weight : 0;
        pixel[c] = mean < 255 ? (uint8_t)mean : 255;  // rounding above may give 256
    }
    pixel[3] = (uint8_t)((sums[3] + count / 2) / count);
}

// Writes one row of the picture from the sums.
static void end_box(halftone_shrinker *shrinker) {
    halftone_picture *picture = shrinker->picture;
    uint8_t *pixel = picture->rgba + (size_t)shrinker->filled * (size_t)picture->width * 4;
    int start = 0;
    for (int i = 0; i < picture->width; i++, pixel += 4) {
        int end = box_end(i, picture->width, shrinker->width);
        unsigned sums[4] = {0};
        for (int x = start; x < end; x++)
            for (int c = 0; c < 4; c++) sums[c] += shrinker->sums[x * 4 + c];
        put_mean(
            sums, (unsigned)((end - start) * shrinker->gathered), picture->may_be_clear, pixel);
        start = end;
    }
    memset(shrinker->sums, 0, (size_t)shrinker->width * 4 * sizeof *shrinker->sums);
    shrinker->gathered = 0;
    shrinker->filled++;
}

static void add_row(halftone_shrinker *shrinker) {
    if (shrinker->picture->may_be_clear) multiply_by_alpha(shrinker->row, shrinker->width);
    const uint8_t *restrict row = shrinker->row;
    uint16_t *restrict sums = shrinker->sums;
    int count = shrinker->width * 4;
    for (int i = 0; i < count; i++) sums[i] = (uint16_t)(sums[i] + row[i]);
    shrinker->gathered++;
}

void halftone_shrinker_push(halftone_shrinker *shrinker) {
    shrinker->next++;
    if (shrinker->factor == 1) {
        shrinker->filled++;
        return;
    }
    add_row(shrinker);
    int end = box_end(shrinker->filled, shrinker->picture->height, shrinker->height);
    if (shrinker->next == end) end_box(shrinker);
}

bool halftone_shrinker_close(halftone_shrinker *shrinker) {
    if (shrinker->gathered > 0) end_box(shrinker);
    free(shrinker->row);
    free(shrinker->sums);
    shrinker->row = NULL;
    shrinker->sums = NULL;
    if (shrinker->picture) shrinker->picture->rows = shrinker->filled;
    return shrinker->filled > 0;
}

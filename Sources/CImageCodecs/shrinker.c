#include "decoding.h"
#include <math.h>
#include <pthread.h>

static double decoded(double value) {
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

static halftone_light tables;

static void make_tables(void) {
    for (int code = 0; code < 256; code++) {
        tables.of_code[code] = (uint16_t)lround(decoded(code / 255.0) * HALFTONE_FULL_LIGHT);
        double end = code < 255 ? decoded((code + 0.5) / 255) : 1;
        tables.last[code] = (uint16_t)(end * HALFTONE_FULL_LIGHT);
    }
    uint8_t code = 0;
    for (unsigned part = 0; part < sizeof tables.codes; part++) {
        while (part * 16 > tables.last[code]) code++;
        tables.codes[part] = code;
    }
}

const halftone_light *halftone_light_tables(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_tables);
    return &tables;
}

// A box is less than twice this wide and high: sums of light, alpha and weights along both axes have less than 16 + 8 + 2 × (8 + 10) bits.
enum { MAX_FACTOR = 128 };
// The unit of positions and weights. With 256ths, thin bright lines are off by 2 levels.
enum { PIXEL = 1024 };

// The pixels of one box along a row: those between first and last are fully covered.
struct halftone_span {
    int first, last;
    uint32_t first_weight, last_weight;
    double share;  // 1 / all weights
};

static inline uint32_t weight_at(const struct halftone_span *span, int x) {
    return x == span->first ? span->first_weight : x == span->last ? span->last_weight : PIXEL;
}

// The start of box `index` of `count` over `length` pixels.
static int64_t edge(int index, int count, int length) {
    return (int64_t)index * length * PIXEL / count;
}

static void make_spans(halftone_shrinker *shrinker) {
    int count = shrinker->picture->width;
    for (int i = 0; i < count; i++) {
        int64_t low = edge(i, count, shrinker->width), high = edge(i + 1, count, shrinker->width);
        int first = (int)(low / PIXEL), last = (int)((high - 1) / PIXEL);
        shrinker->spans[i] = (struct halftone_span){
            .first = first,
            .last = last,
            .first_weight = (uint32_t)((int64_t)(first + 1) * PIXEL - low),
            .last_weight = (uint32_t)(high - (int64_t)last * PIXEL),
            .share = 1 / (double)(high - low)};
    }
}

halftone_status halftone_shrinker_open(
    halftone_shrinker *shrinker, halftone_job *job, int width, int height) {
    halftone_picture *picture = job->picture;
    halftone_target target = halftone_clamped(job->target, width, height);
    int factor = width / target.width;
    if (height / target.height < factor) factor = height / target.height;
    if (factor > MAX_FACTOR) factor = MAX_FACTOR;
    *shrinker = (halftone_shrinker){
        .picture = picture, .width = width, .height = height, .factor = factor};
    picture->width = width / factor;
    picture->height = height / factor;
    // Zeroed, so that missing rows are transparent.
    picture->rgba = halftone_blank(picture->width, picture->height);
    if (!picture->rgba) return halftone_broken(picture, "out of memory");
    if (factor == 1) return HALFTONE_DECODED;
    size_t boxes = (size_t)picture->width;
    shrinker->row = calloc((size_t)width, 4);
    shrinker->spans = calloc(boxes, sizeof *shrinker->spans);
    shrinker->narrowed = calloc(boxes * 4, sizeof *shrinker->narrowed);
    shrinker->sums = calloc(boxes * 4, sizeof *shrinker->sums);
    if (!shrinker->row || !shrinker->spans || !shrinker->narrowed || !shrinker->sums)
        return halftone_broken(picture, "out of memory");
    make_spans(shrinker);
    return HALFTONE_DECODED;
}

uint8_t *halftone_shrinker_row(halftone_shrinker *shrinker) {
    if (shrinker->factor > 1) return shrinker->row;
    halftone_picture *picture = shrinker->picture;
    return picture->rgba + (size_t)shrinker->next * (size_t)picture->width * 4;
}

// Whether the pixels are inks still to be converted: their fourth byte is black.
static bool has_inks(const halftone_picture *picture) {
    return picture->colors.model == HALFTONE_INKS && picture->colors.profile;
}

// The XOR mask that makes bytes grow with light: in inks that are not inverted, they decrease with it.
static uint8_t inversion(const halftone_picture *picture) {
    return has_inks(picture) && !picture->colors.inverted ? 255 : 0;
}

// Ignores the fourth bytes.
static void narrow_opaque(halftone_shrinker *shrinker, const halftone_light *tables) {
    const uint16_t *light = tables->of_code;
    const struct halftone_span *span = shrinker->spans;
    uint64_t *narrowed = shrinker->narrowed;
    for (int i = 0; i < shrinker->picture->width; i++, span++, narrowed += 4) {
        const uint8_t *first = shrinker->row + (size_t)span->first * 4;
        const uint8_t *last = shrinker->row + (size_t)span->last * 4;
        uint32_t red = 0, green = 0, blue = 0;
        for (const uint8_t *pixel = first + 4; pixel < last; pixel += 4) {
            red += light[pixel[0]];
            green += light[pixel[1]];
            blue += light[pixel[2]];
        }
        uint64_t before = span->first_weight, after = span->last_weight;
        const uint64_t inner[] = {red, green, blue};
        for (int c = 0; c < 3; c++)
            narrowed[c] = inner[c] * PIXEL + light[first[c]] * before + light[last[c]] * after;
    }
}

// Weights colours by alpha, if the fourth bytes are that and not black; the bytes grow with light when they are XORed with `mask`.
static inline __attribute__((always_inline)) void narrow_four(
    halftone_shrinker *shrinker, const halftone_light *tables, bool is_alpha, uint8_t mask) {
    const uint16_t *light = tables->of_code;
    const struct halftone_span *span = shrinker->spans;
    uint64_t *narrowed = shrinker->narrowed;
    for (int i = 0; i < shrinker->picture->width; i++, span++, narrowed += 4) {
        uint64_t red = 0, green = 0, blue = 0, fourth = 0;
        const uint8_t *pixel = shrinker->row + (size_t)span->first * 4;
        for (int x = span->first; x <= span->last; x++, pixel += 4) {
            uint32_t weight = weight_at(span, x) * (is_alpha ? pixel[3] : 1);
            red += (uint64_t)light[pixel[0] ^ mask] * weight;
            green += (uint64_t)light[pixel[1] ^ mask] * weight;
            blue += (uint64_t)light[pixel[2] ^ mask] * weight;
            fourth += is_alpha ? weight : (uint64_t)light[pixel[3] ^ mask] * weight;
        }
        narrowed[0] = red;
        narrowed[1] = green;
        narrowed[2] = blue;
        narrowed[3] = fourth;
    }
}

static void narrow(halftone_shrinker *shrinker) {
    const halftone_light *tables = halftone_light_tables();
    if (has_inks(shrinker->picture)) narrow_four(shrinker, tables, false, inversion(shrinker->picture));
    else if (shrinker->picture->may_be_clear) narrow_four(shrinker, tables, true, 0);
    else narrow_opaque(shrinker, tables);
}

static void add_narrowed(halftone_shrinker *shrinker, unsigned weight) {
    const uint64_t *restrict narrowed = shrinker->narrowed;
    uint64_t *restrict sums = shrinker->sums;
    size_t count = (size_t)shrinker->picture->width * 4;
    shrinker->gathered += (int)weight;
    if (weight == PIXEL)
        for (size_t i = 0; i < count; i++) sums[i] += narrowed[i] * PIXEL;
    else
        for (size_t i = 0; i < count; i++) sums[i] += narrowed[i] * weight;
}

static uint8_t mean_code(const halftone_light *tables, uint64_t sum, double share) {
    unsigned light = (unsigned)((double)(int64_t)sum * share + 0.5);
    return halftone_code(tables, light < HALFTONE_FULL_LIGHT ? light : HALFTONE_FULL_LIGHT);
}

// Writes one row of the picture from the sums.
static void end_box(halftone_shrinker *shrinker) {
    const halftone_light *tables = halftone_light_tables();
    halftone_picture *picture = shrinker->picture;
    bool is_clear = picture->may_be_clear, inks = has_inks(picture);
    uint8_t inverted = inversion(picture);
    double rows_share = 1 / (double)shrinker->gathered;
    uint8_t *pixel = picture->rgba + (size_t)shrinker->filled * (size_t)picture->width * 4;
    uint64_t *sums = shrinker->sums;
    for (int i = 0; i < picture->width; i++, pixel += 4, sums += 4) {
        double share = shrinker->spans[i].share * rows_share;
        double alpha = (double)(int64_t)sums[3];
        double color_share = !is_clear ? share : alpha > 0 ? 1 / alpha : 0;
        for (int c = 0; c < 3; c++)
            pixel[c] = mean_code(tables, sums[c], color_share) ^ inverted;
        if (inks) pixel[3] = mean_code(tables, sums[3], share) ^ inverted;
        else pixel[3] = is_clear ? (uint8_t)(alpha * share + 0.5) : 255;
    }
    memset(shrinker->sums, 0, (size_t)picture->width * 4 * sizeof *shrinker->sums);
    shrinker->gathered = 0;
    shrinker->filled++;
}

void halftone_shrinker_push(halftone_shrinker *shrinker) {
    shrinker->next++;
    if (shrinker->factor == 1) {
        shrinker->filled++;
        return;
    }
    narrow(shrinker);
    int64_t end = edge(shrinker->filled + 1, shrinker->picture->height, shrinker->height);
    int64_t beyond = (int64_t)shrinker->next * PIXEL - end;
    if (beyond < 0) {
        add_narrowed(shrinker, PIXEL);
        return;
    }
    add_narrowed(shrinker, PIXEL - (unsigned)beyond);
    end_box(shrinker);
    if (beyond > 0) add_narrowed(shrinker, (unsigned)beyond);
}

halftone_status halftone_shrinker_close(halftone_shrinker *shrinker, halftone_status status) {
    if (shrinker->gathered > 0) end_box(shrinker);
    free(shrinker->row);
    free(shrinker->spans);
    free(shrinker->narrowed);
    free(shrinker->sums);
    halftone_picture *picture = shrinker->picture;
    int filled = shrinker->filled;
    *shrinker = (halftone_shrinker){0};
    if (!picture) return status;
    picture->rows = filled;
    if (status != HALFTONE_BROKEN || filled == 0) return status;
    picture->partial = true;
    return HALFTONE_DECODED;
}

halftone_status halftone_shrink_rows(
    halftone_job *job, const uint8_t *rgba, size_t stride, int width, int height, int rows) {
    halftone_shrinker shrinker = {0};
    halftone_status status = halftone_shrinker_open(&shrinker, job, width, height);
    for (int y = 0; y < rows && !status; y++, rgba += stride) {
        memcpy(halftone_shrinker_row(&shrinker), rgba, (size_t)width * 4);
        halftone_shrinker_push(&shrinker);
        if (halftone_deadline_passed(&job->deadline)) status = HALFTONE_TOO_SLOW;
    }
    return halftone_shrinker_close(&shrinker, status);
}

halftone_status halftone_shrink_frame(halftone_job *job, const uint8_t *rgba, int rows) {
    int width = job->picture->source_width;
    return halftone_shrink_rows(job, rgba, (size_t)width * 4, width, job->picture->source_height, rows);
}

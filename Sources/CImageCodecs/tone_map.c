#include "tone_map.h"
#include <math.h>

enum { STEPS = 4096 };

struct halftone_tone_map {
    float light[STEPS];  // by the highest 12 of 16 bits; 1 is white
    float matrix[3][3];
    bool is_hlg;
};

static const double white = 203, brightest = 1000;

// SMPTE ST 2084, in cd/m².
static double pq_light(double code) {
    const double m1 = 2610.0 / 16384, m2 = 2523.0 / 4096 * 128;
    const double c1 = 3424.0 / 4096, c2 = 2413.0 / 4096 * 32, c3 = 2392.0 / 4096 * 32;
    double power = pow(code, 1 / m2);
    double above = power > c1 ? power - c1 : 0;
    return 10000 * pow(above / (c2 - c3 * power), 1 / m1);
}

// ITU-R BT.2100, table 5: scene light, 0…1.
static double hlg_light(double code) {
    const double a = 0.17883277, b = 1 - 4 * a, c = 0.5 - a * log(4 * a);
    return code <= 0.5 ? code * code / 3 : (exp((code - c) / a) + b) / 12;
}

halftone_tone_map *halftone_tone_map_make(int primaries, int curve) {
    if (curve != HALFTONE_CURVE_PQ && curve != HALFTONE_CURVE_HLG) return NULL;
    halftone_tone_map *map = malloc(sizeof *map);
    if (!map) return NULL;
    map->is_hlg = curve == HALFTONE_CURVE_HLG;
    for (int i = 0; i < STEPS; i++) {
        double code = (double)i / (STEPS - 1);
        map->light[i] = (float)(map->is_hlg ? hlg_light(code) : pq_light(code) / white);
    }
    // From the given primaries to sRGB's (ITU-R BT.2087 for BT.2020).
    static const float from_2020[3][3] = {
        {1.6605f, -0.5876f, -0.0728f}, {-0.1246f, 1.1329f, -0.0083f}, {-0.0182f, -0.1006f, 1.1187f}};
    static const float from_p3[3][3] = {
        {1.2249f, -0.2247f, 0}, {-0.0420f, 1.0419f, 0}, {-0.0197f, -0.0786f, 1.0979f}};
    static const float same[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    bool is_p3 = primaries == 11 || primaries == 12;
    memcpy(
        map->matrix, primaries == HALFTONE_PRIMARIES_709 ? same : is_p3 ? from_p3 : from_2020,
        sizeof same);
    return map;
}

// Compresses highlights: light up to half of white is unchanged; above that it approaches white.
static float pressed(float light) {
    const float knee = 0.5f;
    return light <= knee ? light : knee + (1 - knee) * (1 - expf((knee - light) / (1 - knee)));
}

static uint8_t code_of(const halftone_light *tables, float light) {
    float scaled = light * HALFTONE_FULL_LIGHT + 0.5f;
    return halftone_code(
        tables, scaled <= 0 ? 0 : scaled >= HALFTONE_FULL_LIGHT ? HALFTONE_FULL_LIGHT : (unsigned)scaled);
}

halftone_tone_map *halftone_note_colors(halftone_colors *colors, int primaries, int curve, const float places[8]) {
    halftone_tone_map *map = halftone_tone_map_make(primaries, curve);
    if (map) return map;
    // Camera curves (H.273: 1, 6, 14, 15) are treated as sRGB's, as in browsers.
    colors->gamma = curve == 4 ? 2.2 : curve == 5 ? 2.8 : curve == 8 ? 1 : 0;
    colors->has_chromaticities = colors->model != HALFTONE_GRAY && places[7] > 0;
    for (int i = 0; i < 8; i++) colors->chromaticities[(i + 2) % 8] = places[i];
    return NULL;
}

void halftone_tone_map_run(const halftone_tone_map *map, uint8_t *rgba, size_t count) {
    const uint16_t *deep = (const uint16_t *)(const void *)rgba;
    const halftone_light *tables = halftone_light_tables();
    for (size_t i = 0; i < count; i++, deep += 4, rgba += 4) {
        float light[3], most = 0;
        uint16_t alpha = deep[3];
        for (int c = 0; c < 3; c++) light[c] = map->light[deep[c] >> 4];
        if (map->is_hlg) {
            // The display's system gamma for a peak of 1000 cd/m² (BT.2100: 1.2).
            float luma = 0.2627f * light[0] + 0.6780f * light[1] + 0.0593f * light[2];
            float gain = powf(luma, 0.2f) * (float)(brightest / white);
            for (int c = 0; c < 3; c++) light[c] *= gain;
        }
        float out[3];
        for (int c = 0; c < 3; c++) {
            const float *row = map->matrix[c];
            out[c] = row[0] * light[0] + row[1] * light[1] + row[2] * light[2];
            if (out[c] > most) most = out[c];
        }
        // All channels are scaled by one factor: compressing them separately would shift the hue of bright colours.
        float factor = most > 0 ? pressed(most) / most : 0;
        for (int c = 0; c < 3; c++) rgba[c] = code_of(tables, out[c] * factor);
        rgba[3] = (uint8_t)(alpha >> 8);
    }
}

halftone_status halftone_shrink_mapped(halftone_job *job, uint8_t *frame, const halftone_tone_map *map) {
    int width = job->picture->source_width, height = job->picture->source_height;
    if (map) halftone_tone_map_run(map, frame, (size_t)width * (size_t)height);
    return halftone_shrink_frame(job, frame, height);
}

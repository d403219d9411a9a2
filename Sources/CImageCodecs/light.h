#pragma once
#include <stdint.h>

// sRGB's transfer curve (IEC 61966-2-1) as tables, so that pixels are averaged as light: the mean of black and white
// lines is 188, where the mean of their codes, 128, would be darker.

enum { HALFTONE_FULL_LIGHT = 65535 };

typedef struct {
    uint16_t of_code[256];
    uint16_t last[256];     // the most light that is still nearest to a code
    uint8_t codes[4096];    // of the least of 16 neighbouring lights
} halftone_light;

// The same for all, made at the first call; on any thread.
const halftone_light *halftone_light_tables(void);

// The nearest code. A code is at least 19 lights wide, so that there is no more than one step within 16 of them.
static inline uint8_t halftone_code(const halftone_light *tables, unsigned light) {
    uint8_t code = tables->codes[light >> 4];
    return (uint8_t)(code + (light > tables->last[code]));
}

#pragma once
#include "decoding.h"

// Colours as video tells them: codes for primaries and for the curve (ITU-T H.273, tables 2 and 3).
enum {
    HALFTONE_PRIMARIES_709 = 1,
    HALFTONE_CURVE_PQ = 16, HALFTONE_CURVE_HLG = 18,
};

// Makes pictures of a high dynamic range fit for a screen that has none: PQ or HLG (ITU-R BT.2100) in BT.2020's primaries,
// P3's or sRGB's. White as books and menus are (203 cd/m², ITU-R BT.2408) becomes nearly white; what is brighter is
// pressed between that and white.
typedef struct halftone_tone_map halftone_tone_map;

// NULL if the curve is neither, or memory is out.
halftone_tone_map *halftone_tone_map_make(int primaries, int curve);
// Four channels of 16 bits each to 8 bits in sRGB; in place if `rgba` is where `deep` is.
void halftone_tone_map_run(
    const halftone_tone_map *map, const uint16_t *deep, uint8_t *rgba, size_t count);

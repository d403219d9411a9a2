#pragma once
#include "decoding.h"

// Colours as described in video: codes for primaries and transfer curves (ITU-T H.273, tables 2 and 3).
enum {
    HALFTONE_PRIMARIES_709 = 1,
    HALFTONE_CURVE_PQ = 16, HALFTONE_CURVE_HLG = 18,
};

// Tone-maps high dynamic range to a standard display: PQ or HLG (ITU-R BT.2100) with BT.2020's, P3's or sRGB's primaries. Reference white
// (203 cd/m², ITU-R BT.2408) becomes nearly white; anything brighter is compressed between that and white.
typedef struct halftone_tone_map halftone_tone_map;

// NULL if the curve is neither, or if out of memory.
halftone_tone_map *halftone_tone_map_make(int primaries, int curve);
// Converts four channels of 16 bits each to 8-bit sRGB, in place.
void halftone_tone_map_run(const halftone_tone_map *map, uint8_t *rgba, size_t count);
// Notes colours described by such codes and by the places of red, green, blue and white, which are 0 where the code is unknown. Returns the
// tone map for high dynamic range, otherwise NULL.
halftone_tone_map *halftone_note_colors(halftone_colors *colors, int primaries, int curve, const float places[8]);
// Shrinks a whole frame of the source's size, which is first mapped in place, if there is a map, from 8 bytes a pixel to 4.
halftone_status halftone_shrink_mapped(halftone_job *job, uint8_t *frame, const halftone_tone_map *map);

#pragma once
#include <stdint.h>
#include <string.h>

// The smallest possible EXIF block: a big-endian TIFF header and one directory with the tag Orientation.
enum { HALFTONE_EXIF_LENGTH = 26 };

static inline void halftone_exif(int orientation, uint8_t tiff[HALFTONE_EXIF_LENGTH]) {
    static const uint8_t form[HALFTONE_EXIF_LENGTH] = {
        'M', 'M', 0, 42, 0, 0, 0, 8,  // directory at 8
        0, 1,                         // one entry
        0x01, 0x12, 0, 3, 0, 0, 0, 1, // Orientation, SHORT, one value
        0, 0, 0, 0,                   // the value and padding
        0, 0, 0, 0,                   // no next directory
    };
    memcpy(tiff, form, sizeof form);
    tiff[19] = (uint8_t)orientation;
}

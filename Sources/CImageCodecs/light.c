#include "light.h"
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

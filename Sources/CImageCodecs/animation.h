#pragma once
#include "decoding.h"

// A rectangle on the canvas.
typedef struct {
    int left, top, width, height;
} halftone_area;

// What becomes of a frame before the next one is drawn, in GIF's numbers; any other leaves it where it is.
enum { HALFTONE_TO_BACKGROUND = 2, HALFTONE_TO_PREVIOUS = 3 };

// The beginning of each format's own structure.
struct halftone_animation {
    const halftone_player *player;
    uint8_t *bytes;      // a copy of the file: the libraries keep pointers into it
    size_t count;
    int width, height;
    int frames;          // given since the beginning
    uint8_t *canvas;     // what is seen now, straight alpha
    halftone_area area;  // of the frame drawn last
    int disposal;        // of that frame, still to be done
    uint8_t *saved;      // what was under it, if that is to come back
};

// How the frames of a format are played.
struct halftone_player {
    size_t size;  // of the format's structure
    // Goes to before the first frame; in the job's picture are size, colours and plays then, or what is wrong.
    halftone_status (*open)(halftone_animation *animation, halftone_job *job);
    // Draws the next frame; how long it stays, as in the file.
    halftone_status (*next)(
        halftone_animation *animation, const halftone_limits *limits, int *milliseconds);
    // Frees what `open` and `next` have allocated, also after a failure; it may be opened again. May be NULL.
    void (*close)(halftone_animation *animation);
};

// Disposes of the last frame, and keeps what the next one's disposal will bring back. False if memory is out.
bool halftone_animation_turn(halftone_animation *animation, halftone_area area, int disposal);

// The canvas's pixels from the beginning of row `y` of the area on.
uint8_t *halftone_area_row(const halftone_animation *animation, halftone_area area, int y);

// Copies pixels into an area of the canvas.
void halftone_area_fill(halftone_animation *animation, halftone_area area, const uint8_t *pixels);

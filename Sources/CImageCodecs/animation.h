#pragma once
#include "decoding.h"

// A rectangle on the canvas.
typedef struct {
    int left, top, width, height;
} halftone_area;

// Disposal methods, with GIF's numbers; any other value leaves the frame in place.
enum { HALFTONE_TO_BACKGROUND = 2, HALFTONE_TO_PREVIOUS = 3 };

// The common prefix of each format's own structure.
struct halftone_animation {
    const halftone_player *player;
    uint8_t *bytes;      // a copy of the file: the libraries keep pointers into it
    size_t count;
    int width, height;
    int frames;          // given since the beginning
    uint8_t *canvas;     // what is seen now, straight alpha
    halftone_area area;  // of the frame drawn last
    int disposal;        // of that frame, still to be done
    uint8_t *saved;      // the canvas before it, if that is to come back
};

// The playback functions of a format.
struct halftone_player {
    size_t size;  // of the format's structure
    // Rewinds to before the first frame; fills in the size, colours and plays, or an error, in the job's picture.
    halftone_status (*open)(halftone_animation *animation, halftone_job *job);
    // Draws the next frame and returns its duration as stored in the file.
    halftone_status (*next)(
        halftone_animation *animation, const halftone_limits *limits, int *milliseconds);
    // Frees what `open` and `next` have allocated, also after a failure; the player may then be reopened. May be NULL.
    void (*close)(halftone_animation *animation);
};

// Disposes of the last frame, and saves the canvas if the next one's disposal will restore it. False if out of memory.
bool halftone_animation_turn(halftone_animation *animation, halftone_area area, int disposal);

// The canvas's pixels from the start of row `y` of the area.
uint8_t *halftone_area_row(const halftone_animation *animation, halftone_area area, int y);

#pragma once
#include "decoding.h"

// A rectangle on the canvas.
typedef struct {
    int left, top, width, height;
} halftone_area;

// What becomes of a frame before the next one is drawn, in GIF's numbers; any other leaves it where it is.
enum { HALFTONE_TO_BACKGROUND = 2, HALFTONE_TO_PREVIOUS = 3 };

// The players of the formats, each the beginning of a structure of its own.
struct halftone_animation {
    uint8_t *owned;        // a copy of the file, NULL until the player is made
    const uint8_t *bytes;  // the same: the libraries keep pointers into it
    size_t count;
    int width, height;
    int plays;             // 0 for ever
    int frames;            // given since the beginning
    uint8_t *canvas;       // what is seen now, straight alpha
    halftone_area area;    // of the frame drawn last
    int disposal;          // of that frame, still to be done
    uint8_t *saved;        // what was under it, if that is to come back
    // Draws the next frame; how long it stays, as in the file.
    halftone_status (*next)(
        halftone_animation *animation, const halftone_limits *limits, int *milliseconds);
    // Goes back to before the first frame; canvas and disposal are reset already.
    bool (*rewind)(halftone_animation *animation);
    // Frees what is the player's own; not what stands above.
    void (*close)(halftone_animation *animation);
};

// NULL, with words in the job's picture, if its file cannot be played. Size and colours are noted in the picture.
typedef halftone_animation *halftone_player(halftone_job *job);
halftone_player halftone_play_gif, halftone_play_png, halftone_play_webp;

// Allocates a player of `size` bytes with a transparent canvas. NULL, with words, if memory is out.
halftone_animation *halftone_animation_make(size_t size, halftone_job *job);

// Disposes of the last frame, and keeps what the next one's disposal will bring back. False if memory is out.
bool halftone_animation_turn(halftone_animation *animation, halftone_area area, int disposal);

// The canvas's pixels from the beginning of row `y` of the area on.
uint8_t *halftone_area_row(const halftone_animation *animation, halftone_area area, int y);

// Copies pixels into an area of the canvas.
void halftone_area_fill(halftone_animation *animation, halftone_area area, const uint8_t *pixels);

// Also decodes a file that holds one frame of an animation.
halftone_decoder halftone_decode_png;

// Notes the colours of a file without decoding it; of a PNG the size, too, if it is allowed.
void halftone_note_png_colors(halftone_job *job);
void halftone_note_webp_colors(halftone_job *job);

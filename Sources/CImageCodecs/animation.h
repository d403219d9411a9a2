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
    uint8_t *bytes;        // a copy of the file: the libraries keep pointers into it
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

// Each takes over `bytes`, also on failure; NULL, with words in `picture`, if it cannot be played. Size and colours
// are noted in `picture`.
typedef halftone_animation *halftone_player(
    uint8_t *bytes, size_t count, const halftone_limits *limits, halftone_picture *picture);
halftone_player halftone_play_gif, halftone_play_png, halftone_play_webp;

// Allocates a player of `size` bytes, owner of `bytes`, with a transparent canvas. NULL, with words, if memory is out.
halftone_animation *halftone_animation_make(
    size_t size, uint8_t *bytes, size_t count, int width, int height, halftone_picture *picture);

// Disposes of the last frame, and keeps what the next one's disposal will bring back. False if memory is out.
bool halftone_animation_turn(halftone_animation *animation, halftone_area area, int disposal);

// The canvas's pixels from the beginning of row `y` of the area on.
uint8_t *halftone_area_row(const halftone_animation *animation, halftone_area area, int y);

// Copies pixels into an area of the canvas.
void halftone_area_fill(halftone_animation *animation, halftone_area area, const uint8_t *pixels);

// Also decodes a file that holds one frame of an animation.
halftone_decoder halftone_decode_png;

// Notes the size, if it is allowed, and the colours of a file without decoding it.
void halftone_note_png_colors(
    const uint8_t *bytes, size_t count, const halftone_limits *limits, halftone_picture *picture);
void halftone_note_webp_colors(const uint8_t *bytes, size_t count, halftone_picture *picture);

#pragma once
#include "decoding.h"

// The players of the formats, each the beginning of a structure of its own.
struct halftone_animation {
    uint8_t *bytes;        // a copy of the file: the libraries keep pointers into it
    size_t count;
    int width, height;
    int plays;             // 0 for ever
    int frames;            // given since the beginning
    uint8_t *canvas;       // what is seen now, straight alpha; NULL before the first frame
    // Draws the next frame; how long it stays, as in the file.
    halftone_status (*next)(
        halftone_animation *animation, const halftone_limits *limits, int *milliseconds);
    // Goes back to before the first frame.
    bool (*rewind)(halftone_animation *animation);
    // Frees what is the player's own; not canvas and bytes.
    void (*close)(halftone_animation *animation);
};

// Each takes over `bytes`, also on failure; NULL, with words in `picture`, if it cannot be played. Size and colours
// are noted in `picture`.
typedef halftone_animation *halftone_player(
    uint8_t *bytes, size_t count, const halftone_limits *limits, halftone_picture *picture);
halftone_player halftone_play_gif, halftone_play_png, halftone_play_webp;

// Allocates a player of `size` bytes, owner of `bytes`, with a transparent canvas if it has a size.
halftone_animation *halftone_animation_make(
    size_t size, uint8_t *bytes, size_t count, int width, int height);

// A rectangle on the canvas.
typedef struct {
    int left, top, width, height;
} halftone_area;

// Copies an area out of the canvas into `saved`, or back; clears it.
void halftone_area_save(const halftone_animation *animation, halftone_area area, uint8_t *saved);
void halftone_area_restore(halftone_animation *animation, halftone_area area, const uint8_t *saved);
void halftone_area_clear(halftone_animation *animation, halftone_area area);

// Notes the colours of a file without decoding it.
void halftone_note_png_colors(
    const uint8_t *bytes, size_t count, const halftone_limits *limits, halftone_picture *picture);
void halftone_note_webp_colors(const uint8_t *bytes, size_t count, halftone_picture *picture);

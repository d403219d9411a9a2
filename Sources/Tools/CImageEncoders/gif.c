#include "encoded.h"
#include <gif_lib.h>

static int append(GifFileType *gif, const GifByteType *bytes, int count) {
    return halftone_encoded_append(gif->UserData, bytes, (size_t)count) ? count : 0;
}

static int put_control(GifFileType *gif, const halftone_gif_frame *frame) {
    GraphicsControlBlock block = {
        .DisposalMode = frame->disposal,
        .DelayTime = frame->delay,
        .TransparentColor = frame->transparent >= 0 ? frame->transparent : NO_TRANSPARENT_COLOR,
    };
    GifByteType bytes[4];
    size_t count = EGifGCBToExtension(&block, bytes);
    return EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, (int)count, bytes);
}

// Netscape's extension: its name, then a block with a 1 and two bytes.
static int put_repeats(GifFileType *gif, int repeats) {
    GifByteType block[] = {1, (GifByteType)repeats, (GifByteType)(repeats >> 8)};
    if (EGifPutExtensionLeader(gif, APPLICATION_EXT_FUNC_CODE) == GIF_ERROR
        || EGifPutExtensionBlock(gif, 11, "NETSCAPE2.0") == GIF_ERROR
        || EGifPutExtensionBlock(gif, sizeof block, block) == GIF_ERROR)
        return GIF_ERROR;
    return EGifPutExtensionTrailer(gif);
}

static int put_rows(GifFileType *gif, const halftone_gif_frame *frame) {
    // The four passes of an interlaced GIF; others have a single pass of step 1.
    static const int starts[] = {0, 4, 2, 1}, steps[] = {8, 8, 4, 2};
    for (int pass = 0; pass < (frame->interlaced ? 4 : 1); pass++) {
        int step = frame->interlaced ? steps[pass] : 1;
        for (int y = starts[pass]; y < frame->height; y += step) {
            const uint8_t *row = frame->indices + (size_t)y * (size_t)frame->width;
            if (EGifPutLine(gif, (GifPixelType *)row, frame->width) == GIF_ERROR) return GIF_ERROR;
        }
    }
    return GIF_OK;
}

static int put_frame(GifFileType *gif, const halftone_gif_frame *frame) {
    GifColorType colors[256];
    for (int i = 0; i < 256; i++) {
        const uint8_t *entry = frame->palette + i * 3;
        colors[i] = (GifColorType){entry[0], entry[1], entry[2]};
    }
    ColorMapObject *map = GifMakeMapObject(256, colors);
    if (!map) return GIF_ERROR;
    int done = put_control(gif, frame);
    if (done != GIF_ERROR)
        done = EGifPutImageDesc(
            gif, frame->left, frame->top, frame->width, frame->height, frame->interlaced, map);
    if (done != GIF_ERROR) done = put_rows(gif, frame);
    GifFreeMapObject(map);
    return done;
}

bool halftone_encode_gif(
    int width, int height, const halftone_gif_frame *frames, int frame_count, int repeats,
    halftone_encoded *file) {
    int code = 0;
    GifFileType *gif = EGifOpen(file, append, &code);
    if (!gif) return halftone_encoded_fail(file, "out of memory");
    EGifSetGifVersion(gif, true);
    int done = EGifPutScreenDesc(gif, width, height, 8, 0, NULL);
    if (done != GIF_ERROR && repeats >= 0) done = put_repeats(gif, repeats);
    for (int i = 0; i < frame_count && done != GIF_ERROR; i++) done = put_frame(gif, &frames[i]);
    const char *words = done == GIF_ERROR ? GifErrorString(gif->Error) : NULL;
    if (EGifCloseFile(gif, &code) == GIF_ERROR && !words) words = GifErrorString(code);
    if (done == GIF_ERROR) return halftone_encoded_fail(file, words ? words : "GIF error");
    return true;
}

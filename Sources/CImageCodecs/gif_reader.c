#include "gif_reader.h"
#include <string.h>

static int take(GifFileType *gif, GifByteType *bytes, int count) {
    gif_reader *reader = gif->UserData;
    size_t left = reader->count - reader->position;
    size_t taken = (size_t)count < left ? (size_t)count : left;
    memcpy(bytes, reader->bytes + reader->position, taken);
    reader->position += taken;
    return (int)taken;
}

bool halftone_gif_open(gif_reader *reader, const halftone_job *job) {
    *reader = (gif_reader){
        .bytes = job->bytes, .count = job->count, .deadline = job->deadline, .plays = 1,
        .clear = NO_TRANSPARENT_COLOR};
    int code = 0;
    reader->gif = DGifOpen(reader, take, &code);
    if (reader->gif) return true;
    const char *words = GifErrorString(code);
    halftone_broken(job->picture, words ? words : "no GIF");
    return false;
}

void halftone_gif_close(gif_reader *reader) {
    int code = 0;
    if (reader->gif) DGifCloseFile(reader->gif, &code);
    reader->gif = NULL;
}

halftone_status halftone_gif_broken(gif_reader *reader, halftone_picture *picture) {
    const char *words = GifErrorString(reader->gif->Error);
    return halftone_broken(picture, words ? words : "no picture in it");
}

// The graphics control tells of the frame that follows. Netscape's block, a 1 and two bytes, tells of repeats.
static void note_block(gif_reader *reader, int code, const GifByteType *block, bool *is_netscape) {
    // A block is its length, then its bytes.
    GraphicsControlBlock control;
    if (code == GRAPHICS_EXT_FUNC_CODE
        && DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK) {
        reader->clear = control.TransparentColor;
        reader->disposal = control.DisposalMode;
        reader->centiseconds = control.DelayTime;
    }
    if (code != APPLICATION_EXT_FUNC_CODE) return;
    if (block[0] == 11 && (!memcmp(block + 1, "NETSCAPE2.0", 11) || !memcmp(block + 1, "ANIMEXTS1.0", 11)))
        *is_netscape = true;
    else if (*is_netscape && block[0] == 3 && block[1] == 1) {
        int repeats = block[2] | block[3] << 8;
        reader->plays = repeats == 0 ? 0 : repeats + 1;
    }
}

static bool read_extension(gif_reader *reader) {
    int code;
    GifByteType *block;
    bool is_netscape = false;
    if (DGifGetExtension(reader->gif, &code, &block) == GIF_ERROR) return false;
    while (block) {
        note_block(reader, code, block, &is_netscape);
        if (DGifGetExtensionNext(reader->gif, &block) == GIF_ERROR) return false;
    }
    return true;
}

bool halftone_gif_find_frame(gif_reader *reader) {
    reader->clear = NO_TRANSPARENT_COLOR;
    reader->disposal = reader->centiseconds = 0;
    GifRecordType type;
    while (!(reader->is_late = halftone_deadline_passed(&reader->deadline))) {
        if (DGifGetRecordType(reader->gif, &type) == GIF_ERROR) return false;
        if (type == IMAGE_DESC_RECORD_TYPE) return DGifGetImageDesc(reader->gif) == GIF_OK;
        if (type == TERMINATE_RECORD_TYPE) return false;
        if (type == EXTENSION_RECORD_TYPE && !read_extension(reader)) return false;
    }
    return false;
}

const ColorMapObject *halftone_gif_palette(const gif_reader *reader) {
    const ColorMapObject *own = reader->gif->Image.ColorMap;
    return own ? own : reader->gif->SColorMap;
}

halftone_status halftone_gif_canvas(
    const gif_reader *reader, halftone_picture *picture, int *width, int *height) {
    const GifImageDesc *frame = &reader->gif->Image;
    if (frame->Width < 1 || frame->Height < 1 || frame->Left < 0 || frame->Top < 0)
        return halftone_broken(picture, "its first frame has no size");
    if (!halftone_gif_palette(reader)) return halftone_broken(picture, "it has no palette");
    *width = reader->gif->SWidth;
    *height = reader->gif->SHeight;
    if (*width < frame->Left + frame->Width) *width = frame->Left + frame->Width;
    if (*height < frame->Top + frame->Height) *height = frame->Top + frame->Height;
    return HALFTONE_DECODED;
}

// Every 8th row from 0, every 8th from 4, every 4th from 2, every 2nd from 1.
int halftone_gif_row(const GifImageDesc *frame, int place) {
    static const int starts[] = {0, 4, 2, 1}, steps[] = {8, 8, 4, 2};
    if (!frame->Interlace) return place;
    int pass = 0;
    for (; pass < 3; pass++) {
        int rows = (frame->Height - starts[pass] + steps[pass] - 1) / steps[pass];
        if (place < rows) break;
        place -= rows;
    }
    return starts[pass] + place * steps[pass];
}

void halftone_gif_draw_row(
    const gif_reader *reader, const uint8_t *indices, uint8_t *pixels, int room) {
    const ColorMapObject *palette = halftone_gif_palette(reader);
    int width = reader->gif->Image.Width;
    if (width > room) width = room;
    for (int x = 0; x < width; x++, pixels += 4) {
        if (indices[x] == reader->clear || indices[x] >= palette->ColorCount) continue;
        const GifColorType *color = &palette->Colors[indices[x]];
        pixels[0] = color->Red;
        pixels[1] = color->Green;
        pixels[2] = color->Blue;
        pixels[3] = 255;
    }
}

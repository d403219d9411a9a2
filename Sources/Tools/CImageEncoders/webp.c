#include "encoded.h"
#include <stdio.h>
#include <webp/encode.h>

static int append(const uint8_t *bytes, size_t count, const WebPPicture *picture) {
    return halftone_encoded_append(picture->custom_ptr, bytes, count);
}

bool halftone_encode_webp(
    const uint8_t *rgba, int width, int height, float quality, bool lossless,
    halftone_encoded *file) {
    WebPConfig config;
    WebPPicture picture;
    if (!WebPConfigInit(&config) || !WebPPictureInit(&picture))
        return halftone_encoded_fail(file, "another libwebp than this was built for");
    config.quality = quality;
    config.lossless = lossless;
    config.exact = lossless;  // keep the colours under transparent pixels: lossless means all of it
    picture.use_argb = lossless;
    picture.width = width;
    picture.height = height;
    picture.writer = append;
    picture.custom_ptr = file;
    bool done = WebPPictureImportRGBA(&picture, rgba, width * 4) && WebPEncode(&config, &picture);
    if (!done) {
        char words[40];
        snprintf(words, sizeof words, "WebP error %d", (int)picture.error_code);
        halftone_encoded_fail(file, words);
    }
    WebPPictureFree(&picture);
    return done;
}

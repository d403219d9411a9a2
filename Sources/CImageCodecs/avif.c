#include "tone_map.h"

#if __has_include(<avif/avif.h>)
#include <avif/avif.h>
#endif

#if defined AVIF_VERSION && AVIF_VERSION >= 110000  // 0.11

#define FUNCTIONS(f) \
    f(avifResultToString) f(avifDecoderCreate) f(avifDecoderDestroy) \
    f(avifDecoderSetIOMemory) f(avifDecoderParse) f(avifDecoderNextImage) \
    f(avifRGBImageSetDefaults) f(avifImageYUVToRGB) f(avifColorPrimariesGetValues)

HALFTONE_DECLARE(FUNCTIONS)

static halftone_status fail(halftone_picture *picture, avifResult result) {
    return halftone_broken(picture, functions.avifResultToString(result));
}

// Returns the tone map for a picture with high dynamic range, otherwise NULL.
static halftone_tone_map *note_colors(const avifImage *image, halftone_picture *picture) {
    halftone_colors *colors = &picture->colors;
    colors->model = image->yuvFormat == AVIF_PIXEL_FORMAT_YUV400 ? HALFTONE_GRAY : HALFTONE_RGB;
    if (image->icc.size > 0) halftone_keep_profile(picture, image->icc.data, image->icc.size);
    if (colors->profile) return NULL;
    float places[8];  // sRGB's for unknown codes
    functions.avifColorPrimariesGetValues(image->colorPrimaries, places);
    return halftone_note_colors(colors, image->colorPrimaries, image->transferCharacteristics, places);
}

static halftone_status decode_image(halftone_job *job, const avifDecoder *decoder) {
    halftone_picture *picture = job->picture;
    const avifImage *image = decoder->image;
    if ((int)image->width != picture->source_width || (int)image->height != picture->source_height)
        return halftone_broken(picture, "its sizes contradict each other");
    picture->may_be_clear = decoder->alphaPresent;
    picture->frames = decoder->imageCount;
    halftone_tone_map *map = note_colors(image, picture);
    avifRGBImage rgb;
    functions.avifRGBImageSetDefaults(&rgb, image);
    rgb.format = AVIF_RGB_FORMAT_RGBA;
    rgb.depth = map ? 16 : 8;
    rgb.rowBytes = image->width * (map ? 8 : 4);
    rgb.pixels = malloc((size_t)rgb.rowBytes * image->height);
    avifResult result = rgb.pixels ? functions.avifImageYUVToRGB(image, &rgb) : AVIF_RESULT_OK;
    halftone_status status = !rgb.pixels ? halftone_broken(picture, "out of memory")
        : result == AVIF_RESULT_OK ? halftone_shrink_mapped(job, rgb.pixels, map) : fail(picture, result);
    free(rgb.pixels);
    free(map);
    return status;
}

static void set_limits(avifDecoder *decoder, const halftone_limits *limits) {
    // The workers already use all cores.
    decoder->maxThreads = 1;
    decoder->ignoreExif = AVIF_TRUE;
    decoder->ignoreXMP = AVIF_TRUE;
    // Older encoders omitted items required by the standard; browsers accept their files too.
    decoder->strictFlags = AVIF_STRICT_DISABLED;
    if (limits->max_frame_pixels < decoder->imageSizeLimit)
        decoder->imageSizeLimit = (uint32_t)limits->max_frame_pixels;
    // It is half of AV1's limit, and reported as a broken file; the number of pixels is what counts.
    decoder->imageDimensionLimit = 0;
}

static halftone_status decode(halftone_job *job) {
    halftone_picture *picture = job->picture;
    avifDecoder *decoder = functions.avifDecoderCreate();
    if (!decoder) return halftone_broken(picture, "out of memory");
    set_limits(decoder, job->limits);
    avifResult result = functions.avifDecoderSetIOMemory(decoder, job->bytes, job->count);
    if (result == AVIF_RESULT_OK) result = functions.avifDecoderParse(decoder);
    halftone_status status = result == AVIF_RESULT_OK
        ? halftone_check_size(job, decoder->image->width, decoder->image->height, true)
        : fail(picture, result);
    if (!status && halftone_deadline_passed(&job->deadline))
        status = HALFTONE_TOO_SLOW;
    if (!status) {
        // Decoding a frame cannot be interrupted; its cost is bounded by its pixels.
        result = functions.avifDecoderNextImage(decoder);
        status = result == AVIF_RESULT_OK ? decode_image(job, decoder) : fail(picture, result);
    }
    functions.avifDecoderDestroy(decoder);
    return status;
}

const halftone_codec halftone_avif = {
    .decode = decode, .library = HALFTONE_LIBAVIF, .functions = places};
#else
const halftone_codec halftone_avif = {0};
#endif

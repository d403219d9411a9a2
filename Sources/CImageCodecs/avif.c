#include "video.h"

#if __has_include(<avif/avif.h>)
#include <avif/avif.h>
#endif

#if defined AVIF_VERSION && AVIF_VERSION >= 90000  // 0.9
#include <stdlib.h>
#include <string.h>

#define FUNCTIONS(f) \
    f(avifResultToString) f(avifDecoderCreate) f(avifDecoderDestroy) \
    f(avifDecoderSetIOMemory) f(avifDecoderParse) f(avifDecoderNextImage) \
    f(avifImageCreateEmpty) f(avifImageDestroy) f(avifImageSetViewRect) \
    f(avifRGBImageSetDefaults) f(avifImageYUVToRGB) f(avifColorPrimariesGetValues)

static struct { FUNCTIONS(HALFTONE_FIELD) } functions;

static const halftone_function places[] = {FUNCTIONS(HALFTONE_FIND) {0}};

// The headers do not contain the soname. Structures are part of the ABI, so only the matching version will do.
#if AVIF_VERSION_MAJOR >= 1
#define LIBRARY "libavif.so.16"
#elif AVIF_VERSION_MINOR == 11
#define LIBRARY "libavif.so.15"
#elif AVIF_VERSION_MINOR == 10
#define LIBRARY "libavif.so.14"
#else
#define LIBRARY "libavif.so.13"
#endif

static halftone_status fail(halftone_picture *picture, avifResult result) {
    return halftone_broken(picture, functions.avifResultToString(result));
}

// Returns the tone map for a picture with high dynamic range, otherwise NULL.
static halftone_tone_map *note_colors(const avifImage *image, halftone_picture *picture) {
    halftone_colors *colors = &picture->colors;
    bool is_gray = image->yuvFormat == AVIF_PIXEL_FORMAT_YUV400;
    colors->model = is_gray ? HALFTONE_GRAY : HALFTONE_RGB;
    if (image->icc.size > 0) halftone_keep_profile(picture, image->icc.data, image->icc.size);
    if (colors->profile) return NULL;
    int curve = image->transferCharacteristics;
    halftone_tone_map *map = halftone_tone_map_make(image->colorPrimaries, curve);
    if (map) return map;
    // Camera curves (H.273: 1, 6, 14, 15) are treated as sRGB's, as in browsers.
    colors->gamma = curve == 4 ? 2.2 : curve == 5 ? 2.8 : curve == 8 ? 1 : 0;
    colors->has_chromaticities = !is_gray;
    float places[8];  // of red, green, blue and white; sRGB's for unknown codes
    functions.avifColorPrimariesGetValues(image->colorPrimaries, places);
    for (int i = 0; i < 8; i++) colors->chromaticities[(i + 2) % 8] = places[i];
    return NULL;
}

// The number of rows converted at once; even, since chroma may be shared by two rows.
enum { BAND = 64 };

// Converts rows of the decoded picture, starting at `y`.
static avifResult convert(
    const avifImage *image, avifImage *view, uint32_t y, uint32_t rows, uint8_t *pixels, bool deep) {
    avifCropRect rect = {.x = 0, .y = y, .width = image->width, .height = rows};
    avifResult result = functions.avifImageSetViewRect(view, image, &rect);
    if (result != AVIF_RESULT_OK) return result;
    avifRGBImage rgb;
    functions.avifRGBImageSetDefaults(&rgb, view);
    rgb.format = AVIF_RGB_FORMAT_RGBA;
    rgb.depth = deep ? 16 : 8;
    rgb.pixels = pixels;
    rgb.rowBytes = image->width * (deep ? 8 : 4);
    return functions.avifImageYUVToRGB(view, &rgb);
}

static halftone_status read_rows(
    const avifImage *image, avifImage *view, const halftone_tone_map *map, uint8_t *band,
    halftone_shrinker *shrinker, halftone_deadline *deadline) {
    size_t width = image->width;
    for (uint32_t y = 0; y < image->height; y += BAND) {
        uint32_t rows = image->height - y < BAND ? image->height - y : BAND;
        avifResult result = convert(image, view, y, rows, band, map != NULL);
        if (result != AVIF_RESULT_OK) return fail(shrinker->picture, result);
        for (uint32_t row = 0; row < rows; row++) {
            uint8_t *to = halftone_shrinker_row(shrinker);
            if (map)
                halftone_tone_map_run(
                    map, (const uint16_t *)(const void *)(band + row * width * 8), to, width);
            else
                memcpy(to, band + row * width * 4, width * 4);
            halftone_shrinker_push(shrinker);
            if (halftone_deadline_passed(deadline)) return HALFTONE_TOO_SLOW;
        }
    }
    return HALFTONE_DECODED;
}

static halftone_status shrink(
    halftone_job *job, const avifImage *image, const halftone_tone_map *map) {
    halftone_shrinker shrinker = {0};
    halftone_status status =
        halftone_shrinker_open(&shrinker, job, (int)image->width, (int)image->height);
    avifImage *view = functions.avifImageCreateEmpty();
    uint8_t *band = malloc((size_t)image->width * BAND * (map ? 8 : 4));
    if (!view || !band) status = halftone_broken(job->picture, "out of memory");
    if (status == HALFTONE_DECODED)
        status = read_rows(image, view, map, band, &shrinker, &job->deadline);
    free(band);
    if (view) functions.avifImageDestroy(view);
    return halftone_shrinker_close(&shrinker, status);
}

static halftone_status decode_image(halftone_job *job, const avifDecoder *decoder) {
    halftone_picture *picture = job->picture;
    const avifImage *image = decoder->image;
    if ((int)image->width != picture->source_width || (int)image->height != picture->source_height)
        return halftone_broken(picture, "its sizes contradict each other");
    picture->may_be_clear = decoder->alphaPresent;
    picture->frames = decoder->imageCount;
    halftone_tone_map *map = note_colors(image, picture);
    halftone_status status = shrink(job, image, map);
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
#ifdef AVIF_DEFAULT_IMAGE_DIMENSION_LIMIT
    // It is half of AV1's limit, and reported as a broken file; the number of pixels is what counts.
    decoder->imageDimensionLimit = 0;
#endif
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
    if (status == HALFTONE_DECODED && halftone_deadline_passed(&job->deadline))
        status = HALFTONE_TOO_SLOW;
    if (status == HALFTONE_DECODED) {
        // Decoding a frame cannot be interrupted; its cost is bounded by its pixels.
        result = functions.avifDecoderNextImage(decoder);
        status = result == AVIF_RESULT_OK ? decode_image(job, decoder) : fail(picture, result);
    }
    functions.avifDecoderDestroy(decoder);
    return status;
}

const halftone_codec halftone_avif = {
    .decode = decode, .library = LIBRARY, .functions = places};
#else
const halftone_codec halftone_avif = {0};
#endif

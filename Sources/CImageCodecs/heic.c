#include "tone_map.h"

#if __has_include(<libheif/heif.h>)
#include <libheif/heif.h>
#endif

// The number of threads for tiles can be set since 1.13.
#if defined LIBHEIF_NUMERIC_VERSION && LIBHEIF_NUMERIC_VERSION >= 0x010d0000

#define FUNCTIONS(f) \
    f(heif_init) f(heif_context_alloc) f(heif_context_free) f(heif_context_set_max_decoding_threads) \
    f(heif_context_read_from_memory_without_copy) f(heif_context_get_primary_image_handle) \
    f(heif_image_handle_release) f(heif_image_handle_get_width) f(heif_image_handle_get_height) \
    f(heif_image_handle_has_alpha_channel) \
    f(heif_image_handle_get_list_of_thumbnail_IDs) f(heif_image_handle_get_thumbnail) \
    f(heif_image_handle_get_raw_color_profile_size) f(heif_image_handle_get_raw_color_profile) \
    f(heif_image_handle_get_nclx_color_profile) f(heif_nclx_color_profile_free) \
    f(heif_decode_image) f(heif_image_get_width) f(heif_image_get_height) f(heif_image_get_bits_per_pixel_range) \
    f(heif_image_get_plane) f(heif_image_release)

HALFTONE_DECLARE(FUNCTIONS)

// Called by libheif in place of libde265's, as the loader looks into the program first. libde265 would start a thread for each picture, and
// wait for ever for the work of one that could not be started; without threads it works in the caller's.
__attribute__((visibility("default"))) int de265_start_worker_threads(void *decoder, int count);
int de265_start_worker_threads(void *decoder, int count) { return 0; }

// From 1.14 on, decoders may be libraries of their own.
static bool start(void) {
    functions.heif_init(NULL);
    return true;
}

// Returns the tone map for a picture with high dynamic range, otherwise NULL.
static halftone_tone_map *note_colors(const struct heif_image_handle *handle, halftone_picture *picture) {
    size_t count = functions.heif_image_handle_get_raw_color_profile_size(handle);
    uint8_t *profile = malloc(count);
    if (profile && !functions.heif_image_handle_get_raw_color_profile(handle, profile).code)
        halftone_keep_profile(picture, profile, count);
    free(profile);
    struct heif_color_profile_nclx *nclx = NULL;
    if (picture->colors.profile || functions.heif_image_handle_get_nclx_color_profile(handle, &nclx).code)
        return NULL;
    float chromaticities[8];
    memcpy(
        chromaticities, (const char *)nclx + offsetof(struct heif_color_profile_nclx, color_primary_red_x),
        sizeof chromaticities);
    halftone_tone_map *map = halftone_note_colors(
        &picture->colors, nclx->color_primaries, nclx->transfer_characteristics, chromaticities);
    functions.heif_nclx_color_profile_free(nclx);
    return map;
}

static halftone_status shrink(halftone_job *job, struct heif_image *image, const halftone_tone_map *map) {
    const enum heif_channel all = heif_channel_interleaved;
    int width = functions.heif_image_get_width(image, all), height = functions.heif_image_get_height(image, all);
    int bits = functions.heif_image_get_bits_per_pixel_range(image, all), stride = 0;
    uint8_t *row = functions.heif_image_get_plane(image, all, &stride);
    if (!row || width < 1 || height < 1) return halftone_broken(job->picture, "it has no pixels");
    for (int y = 0; map && y < height; y++) {
        uint16_t *deep = (uint16_t *)(void *)(row + (size_t)y * (size_t)stride);
        for (int i = 0; i < width * 4; i++) deep[i] = (uint16_t)(deep[i] << (16 - bits));
        halftone_tone_map_run(map, (uint8_t *)deep, (size_t)width);
    }
    return halftone_shrink_rows(job, row, (size_t)stride, width, height, height);
}

static halftone_status decode_image(
    halftone_job *job, const struct heif_image_handle *handle, const halftone_tone_map *map) {
    struct heif_image *image = NULL;
    // Cannot be interrupted; its cost is bounded by the pixels.
    struct heif_error error = functions.heif_decode_image(
        handle, &image, heif_colorspace_RGB,
        map ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RGBA, NULL);
    if (error.code) return halftone_broken(job->picture, error.message);
    halftone_status status = shrink(job, image, map);
    functions.heif_image_release(image);
    return status;
}

// Decodes the thumbnail if it covers the target and has the same aspect ratio, but for rounded sides.
static halftone_status decode_thumbnail(halftone_job *job, const struct heif_image_handle *main) {
    const halftone_picture *picture = job->picture;
    struct heif_image_handle *handle = NULL;
    heif_item_id item;
    if (job->target.width < 1 || !functions.heif_image_handle_get_list_of_thumbnail_IDs(main, &item, 1)
        || functions.heif_image_handle_get_thumbnail(main, item, &handle).code)
        return HALFTONE_BROKEN;
    int64_t width = functions.heif_image_handle_get_width(handle);
    int64_t height = functions.heif_image_handle_get_height(handle);
    bool is_enough = width >= job->target.width && height >= job->target.height
        && llabs(width * picture->source_height - height * picture->source_width)
            <= picture->source_width + picture->source_height;
    halftone_status status = is_enough ? decode_image(job, handle, NULL) : HALFTONE_BROKEN;
    functions.heif_image_handle_release(handle);
    return status;
}

static halftone_status decode_main(halftone_job *job, const struct heif_image_handle *handle) {
    halftone_picture *picture = job->picture;
    halftone_status status = halftone_check_size(
        job, functions.heif_image_handle_get_width(handle), functions.heif_image_handle_get_height(handle), false);
    if (status) return status;
    picture->may_be_clear = functions.heif_image_handle_has_alpha_channel(handle);
    halftone_tone_map *map = note_colors(handle, picture);
    // A thumbnail has fewer bits, and no alpha.
    bool is_plain = !map && !picture->may_be_clear;
    status = is_plain ? decode_thumbnail(job, handle) : HALFTONE_BROKEN;
    if (status == HALFTONE_BROKEN) {
        // Nothing of the thumbnail is to be left.
        free(picture->rgba);
        picture->rgba = NULL;
        picture->error[0] = 0;
        status = decode_image(job, handle, map);
    }
    free(map);
    return status;
}

static halftone_status decode(halftone_job *job) {
    struct heif_context *context = functions.heif_context_alloc();
    if (!context) return halftone_broken(job->picture, "out of memory");
    functions.heif_context_set_max_decoding_threads(context, 0);
    struct heif_image_handle *handle = NULL;
    struct heif_error error =
        functions.heif_context_read_from_memory_without_copy(context, job->bytes, job->count, NULL);
    if (!error.code) error = functions.heif_context_get_primary_image_handle(context, &handle);
    halftone_status status =
        error.code ? halftone_broken(job->picture, error.message) : decode_main(job, handle);
    if (handle) functions.heif_image_handle_release(handle);
    functions.heif_context_free(context);
    return status;
}

const halftone_codec halftone_heic = {
    .decode = decode, .library = HALFTONE_LIBHEIF, .functions = places, .start = start};
#else
const halftone_codec halftone_heic = {0};
#endif

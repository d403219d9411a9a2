#include "tone_map.h"

#if __has_include(<jxl/decode.h>) && __has_include(<jxl/version.h>)
#include <jxl/decode.h>
#include <jxl/version.h>
#endif

// Progressive detail was added in 0.7.
#if defined JPEGXL_NUMERIC_VERSION && JPEGXL_NUMERIC_VERSION >= 0x70000

#define FUNCTIONS(f) \
    f(JxlDecoderCreate) f(JxlDecoderDestroy) f(JxlDecoderSubscribeEvents) \
    f(JxlDecoderSetUnpremultiplyAlpha) f(JxlDecoderProcessInput) f(JxlDecoderSetInput) \
    f(JxlDecoderReleaseInput) f(JxlDecoderGetBasicInfo) \
    f(JxlDecoderGetColorAsEncodedProfile) f(JxlDecoderGetICCProfileSize) \
    f(JxlDecoderGetColorAsICCProfile) f(JxlDecoderSetImageOutBuffer) \
    f(JxlDecoderSetProgressiveDetail) f(JxlDecoderFlushImage)

HALFTONE_DECLARE(FUNCTIONS)

// An unused parameter was removed in 0.9.
#if JPEGXL_NUMERIC_VERSION < JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0)
#define UNUSED_FORMAT NULL,
#else
#define UNUSED_FORMAT
#endif

typedef struct {
    JxlDecoder *decoder;
    halftone_job *job;
    halftone_picture *picture;  // the job's
    size_t given;
    JxlBasicInfo info;
    halftone_tone_map *map;
    uint8_t *frame;  // all of it, 4 bytes a pixel, or 8 before it is mapped
} jxl_work;

// The deadline is checked between portions.
static const size_t portion = 64 << 10;

// Returns the decoder's next event, feeding it the file in portions. JXL_DEC_NEED_MORE_INPUT at the end of the file.
static JxlDecoderStatus step(jxl_work *work) {
    for (;;) {
        JxlDecoderStatus status = functions.JxlDecoderProcessInput(work->decoder);
        if (status != JXL_DEC_NEED_MORE_INPUT) return status;
        size_t end = work->given - functions.JxlDecoderReleaseInput(work->decoder);
        if (work->given == work->job->count) return status;
        size_t left = work->job->count - work->given;
        work->given += left < portion ? left : portion;
        if (functions.JxlDecoderSetInput(work->decoder, work->job->bytes + end, work->given - end)
            != JXL_DEC_SUCCESS)
            return JXL_DEC_ERROR;
        if (halftone_deadline_passed_now(&work->job->deadline)) return JXL_DEC_ERROR;
    }
}

static halftone_status note_info(jxl_work *work) {
    JxlBasicInfo *info = &work->info;
    halftone_picture *picture = work->picture;
    if (functions.JxlDecoderGetBasicInfo(work->decoder, info) != JXL_DEC_SUCCESS)
        return halftone_broken(picture, "its header makes no sense");
    picture->may_be_clear = info->alpha_bits > 0;
    picture->colors.model = info->num_color_channels == 1 ? HALFTONE_GRAY : HALFTONE_RGB;
    if (info->alpha_premultiplied)
        functions.JxlDecoderSetUnpremultiplyAlpha(work->decoder, JXL_TRUE);
    halftone_status status =
        halftone_check_size(work->job, info->xsize, info->ysize, true);
    // A coarse picture comes early in the file; only now is it known whether that is enough.
    if (!status)
        functions.JxlDecoderSetProgressiveDetail(work->decoder, kDC);
    return status;
}

// Whether pixels that represent 8 × 8 each are enough.
static bool is_coarse_enough(const jxl_work *work) {
    int width = (int)work->info.xsize, height = (int)work->info.ysize;
    halftone_target target = halftone_fine_target(work->job);
    return (int64_t)target.width * 8 <= width && (int64_t)target.height * 8 <= height;
}

static void note_colors(jxl_work *work) {
    halftone_colors *colors = &work->picture->colors;
    JxlColorEncoding encoding;
    JxlColorProfileTarget of_pixels = JXL_COLOR_PROFILE_TARGET_DATA;
    size_t count = 0;
    if (functions.JxlDecoderGetColorAsEncodedProfile(
            work->decoder, UNUSED_FORMAT of_pixels, &encoding) == JXL_DEC_SUCCESS) {
        int curve = (int)encoding.transfer_function, primaries = (int)encoding.primaries;
        work->map = halftone_tone_map_make(primaries, curve);
        if (work->map) return;
        colors->gamma = curve == JXL_TRANSFER_FUNCTION_LINEAR ? 1
            : curve == JXL_TRANSFER_FUNCTION_DCI ? 2.6
            : curve == JXL_TRANSFER_FUNCTION_GAMMA && encoding.gamma > 0.1 ? 1 / encoding.gamma : 0;
        if (encoding.color_space != JXL_COLOR_SPACE_RGB || primaries == JXL_PRIMARIES_SRGB) return;
        colors->has_chromaticities = true;
        const double *const places[] = {
            encoding.white_point_xy, encoding.primaries_red_xy, encoding.primaries_green_xy,
            encoding.primaries_blue_xy};
        for (int i = 0; i < 4; i++)
            memcpy(colors->chromaticities + i * 2, places[i], 2 * sizeof(double));
    } else if (
        functions.JxlDecoderGetICCProfileSize(work->decoder, UNUSED_FORMAT of_pixels, &count)
            == JXL_DEC_SUCCESS
        && count > 0 && count <= 4 << 20) {
        uint8_t *profile = malloc(count);
        if (profile && functions.JxlDecoderGetColorAsICCProfile(
                work->decoder, UNUSED_FORMAT of_pixels, profile, count) == JXL_DEC_SUCCESS)
            halftone_keep_profile(work->picture, profile, count);
        free(profile);
    }
}

static halftone_status make_frame(jxl_work *work) {
    bool is_deep = work->map != NULL;
    JxlPixelFormat format = {
        .num_channels = 4, .data_type = is_deep ? JXL_TYPE_UINT16 : JXL_TYPE_UINT8,
        .endianness = JXL_NATIVE_ENDIAN};
    size_t size = (size_t)work->info.xsize * work->info.ysize * (is_deep ? 8 : 4);
    free(work->frame);
    work->frame = calloc(size, 1);
    if (!work->frame
        || functions.JxlDecoderSetImageOutBuffer(work->decoder, &format, work->frame, size)
            != JXL_DEC_SUCCESS)
        return halftone_broken(work->picture, "out of memory");
    return HALFTONE_DECODED;
}

// Whether the pixels decoded so far can be shown: those of a truncated file, or of a coarse pass that is enough.
static bool flush(jxl_work *work) {
    return work->frame && functions.JxlDecoderFlushImage(work->decoder) == JXL_DEC_SUCCESS;
}

static halftone_status end_early(jxl_work *work, JxlDecoderStatus status) {
    if (halftone_deadline_passed_now(&work->job->deadline)) return HALFTONE_TOO_SLOW;
    if (status == JXL_DEC_ERROR) return halftone_broken(work->picture, "the data make no sense");
    if (!flush(work)) return halftone_broken(work->picture, "the file ends early");
    work->picture->partial = true;
    return HALFTONE_DECODED;
}

// Runs until there is a frame to show.
static halftone_status read_frame(jxl_work *work) {
    for (;;) {
        halftone_status status = HALFTONE_DECODED;
        JxlDecoderStatus said = step(work);
        switch (said) {
        case JXL_DEC_BASIC_INFO:
            status = note_info(work);
            break;
        case JXL_DEC_COLOR_ENCODING: note_colors(work); break;
        case JXL_DEC_NEED_IMAGE_OUT_BUFFER: status = make_frame(work); break;
        case JXL_DEC_FRAME_PROGRESSION:
            if (is_coarse_enough(work) && flush(work)) return HALFTONE_DECODED;
            break;
        case JXL_DEC_FULL_IMAGE: return HALFTONE_DECODED;
        case JXL_DEC_NEED_MORE_INPUT:
        case JXL_DEC_ERROR: return end_early(work, said);
        default: return halftone_broken(work->picture, "it has no picture");
        }
        if (status) return status;
    }
}

static halftone_status open_decoder(jxl_work *work, int events) {
    work->given = 0;
    work->decoder = functions.JxlDecoderCreate(NULL);
    if (!work->decoder
        || functions.JxlDecoderSubscribeEvents(work->decoder, events) != JXL_DEC_SUCCESS)
        return halftone_broken(work->picture, "out of memory");
    return HALFTONE_DECODED;
}

static void close_decoder(jxl_work *work) {
    if (work->decoder) functions.JxlDecoderDestroy(work->decoder);
    work->decoder = NULL;
}

// Counts an animation's frames by their headers.
static void count_frames(jxl_work *work) {
    const int most = 10000;
    if (!work->info.have_animation || work->picture->partial) return;
    close_decoder(work);
    if (open_decoder(work, JXL_DEC_FRAME)) return;
    while (work->picture->frames < most && step(work) == JXL_DEC_FRAME) work->picture->frames++;
}

static halftone_status decode(halftone_job *job) {
    jxl_work work = {.job = job, .picture = job->picture};
    halftone_status status = open_decoder(
        &work,
        JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING | JXL_DEC_FRAME_PROGRESSION | JXL_DEC_FULL_IMAGE);
    if (!status) status = read_frame(&work);
    if (!status && work.frame) status = halftone_shrink_mapped(job, work.frame, work.map);
    if (!status && work.frame) count_frames(&work);
    close_decoder(&work);
    free(work.map);
    free(work.frame);
    return status;
}

const halftone_codec halftone_jxl = {
    .decode = decode, .library = HALFTONE_LIBJXL, .functions = places};
#else
const halftone_codec halftone_jxl = {0};
#endif

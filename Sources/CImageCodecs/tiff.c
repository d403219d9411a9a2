#include "decoding.h"

#if __has_include(<tiffio.h>)
#include <tiffio.h>
#endif

// Per-file options, including limits, were added in 4.5.
#if defined TIFFLIB_VERSION && TIFFLIB_VERSION >= 20221213
#include <stdarg.h>
#include <stdio.h>

#define FUNCTIONS(f) \
    f(TIFFOpenOptionsAlloc) f(TIFFOpenOptionsFree) f(TIFFOpenOptionsSetMaxSingleMemAlloc) \
    f(TIFFOpenOptionsSetErrorHandlerExtR) f(TIFFOpenOptionsSetWarningHandlerExtR) \
    f(TIFFClientOpenExt) f(TIFFClose) f(TIFFGetField) f(TIFFGetFieldDefaulted) f(TIFFIsTiled) \
    f(TIFFRGBAImageBegin) f(TIFFRGBAImageGet) f(TIFFRGBAImageEnd) f(TIFFScanlineSize64) \
    f(TIFFReadScanline)

HALFTONE_DECLARE(FUNCTIONS)

static tmsize_t take(thandle_t job, void *target, tmsize_t length) {
    return length < 0 ? 0 : (tmsize_t)halftone_take(job, target, (size_t)length);
}

static tmsize_t refuse(thandle_t handle, void *bytes, tmsize_t length) {
    return 0;
}

static toff_t seek(thandle_t handle, toff_t offset, int whence) {
    halftone_job *job = handle;
    toff_t base = whence == SEEK_CUR ? job->position : whence == SEEK_END ? job->count : 0;
    // Positions beyond the end become the end, where nothing can be read.
    job->position = base + offset > job->count ? job->count : (size_t)(base + offset);
    return job->position;
}

static int leave(thandle_t handle) {
    return 0;
}

static toff_t size(thandle_t job) {
    return ((halftone_job *)job)->count;
}

static int note_error(
    TIFF *tiff, void *job, const char *module, const char *format, va_list arguments) {
    halftone_picture *picture = ((halftone_job *)job)->picture;
    if (!picture->error[0]) vsnprintf(picture->error, sizeof picture->error, format, arguments);
    return 1;
}

static int ignore(
    TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
    return 1;
}

static TIFF *open_file(halftone_job *job) {
    TIFFOpenOptions *options = functions.TIFFOpenOptionsAlloc();
    if (!options) return NULL;
    functions.TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)job->limits->max_memory);
    functions.TIFFOpenOptionsSetErrorHandlerExtR(options, note_error, job);
    functions.TIFFOpenOptionsSetWarningHandlerExtR(options, ignore, job);
    // In memory but not mapped, so the library requests each read and the size.
    TIFF *tiff = functions.TIFFClientOpenExt(
        "", "rm", job, take, refuse, seek, leave, size, NULL, NULL, options);
    functions.TIFFOpenOptionsFree(options);
    return tiff;
}

static uint16_t field(TIFF *tiff, uint32_t tag) {
    uint16_t value = 0;
    functions.TIFFGetFieldDefaulted(tiff, tag, &value);
    return value;
}

// The compressions written by scanners, cameras and painting programs. Others are rare, and their code is little tested.
static bool is_known(TIFF *tiff) {
    static const uint16_t known[] = {
        COMPRESSION_NONE, COMPRESSION_CCITTRLE, COMPRESSION_CCITTFAX3, COMPRESSION_CCITTFAX4,
        COMPRESSION_LZW, COMPRESSION_JPEG, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_PACKBITS,
        COMPRESSION_DEFLATE};
    uint16_t compression = field(tiff, TIFFTAG_COMPRESSION);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i] == compression) return true;
    return false;
}

// The number of rows encoded together: a strip, or a row of tiles.
static uint32_t rows_together(TIFF *tiff, uint32_t height) {
    uint32_t rows = 0;
    if (functions.TIFFIsTiled(tiff))
        functions.TIFFGetField(tiff, TIFFTAG_TILELENGTH, &rows);
    else
        functions.TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &rows);
    return rows == 0 || rows > height ? height : rows;
}

// Whether rows are interleaved cyan, magenta, yellow, black, one byte each.
static bool has_plain_inks(TIFF *tiff, uint32_t width) {
    return field(tiff, TIFFTAG_INKSET) == INKSET_CMYK && field(tiff, TIFFTAG_SAMPLESPERPIXEL) == 4
        && field(tiff, TIFFTAG_BITSPERSAMPLE) == 8
        && field(tiff, TIFFTAG_PLANARCONFIG) == PLANARCONFIG_CONTIG && !functions.TIFFIsTiled(tiff)
        && functions.TIFFScanlineSize64(tiff) == (uint64_t)width * 4;
}

// The library converts everything to RGB, but inks in a way that ignores their profile, so inks with a profile are read unconverted.
static void note_colors(TIFF *tiff, uint32_t width, halftone_picture *picture) {
    uint16_t kind = PHOTOMETRIC_RGB;
    functions.TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &kind);
    bool is_gray = kind == PHOTOMETRIC_MINISBLACK || kind == PHOTOMETRIC_MINISWHITE;
    bool is_inks = kind == PHOTOMETRIC_SEPARATED && has_plain_inks(tiff, width);
    picture->colors.model = is_gray ? HALFTONE_GRAY : HALFTONE_RGB;
    if (kind == PHOTOMETRIC_CIELAB || (kind == PHOTOMETRIC_SEPARATED && !is_inks)) return;
    uint32_t count = 0;
    const void *profile = NULL;
    if (functions.TIFFGetField(tiff, TIFFTAG_ICCPROFILE, &count, &profile) && profile)
        halftone_keep_profile(picture, profile, count);
    if (is_inks && picture->colors.profile) picture->colors.model = HALFTONE_INKS;
}

// Reads bands of rows that are encoded together; inks row by row, which `image` is NULL for.
static halftone_status read_rows(halftone_job *job, TIFF *tiff, TIFFRGBAImage *image, uint32_t band) {
    uint32_t width = (uint32_t)job->picture->source_width, height = (uint32_t)job->picture->source_height;
    halftone_shrinker shrinker = {0};
    halftone_status status = halftone_shrinker_open(&shrinker, job, (int)width, (int)height);
    uint32_t *packed = calloc((size_t)width * band, sizeof *packed);
    if (!packed) status = halftone_broken(job->picture, "out of memory");
    for (uint32_t y = 0; y < height && !status; y += band) {
        uint32_t rows = height - y < band ? height - y : band;
        if (image) image->row_offset = (int)y;
        if (halftone_deadline_passed_now(&job->deadline)) {
            status = HALFTONE_TOO_SLOW;
        } else if (image ? !functions.TIFFRGBAImageGet(image, packed, width, rows)
                         : functions.TIFFReadScanline(tiff, halftone_shrinker_row(&shrinker), y, 0) < 0) {
            status = halftone_broken(job->picture, "it cannot be read");
        } else {
            for (uint32_t row = 0; row < rows; row++) {
                uint8_t *rgba = halftone_shrinker_row(&shrinker);
                // The library's words are RGBA bytes.
                if (image) memcpy(rgba, packed + (size_t)row * width, (size_t)width * 4);
                if (image && image->alpha) halftone_unpremultiply(rgba, width);
                halftone_shrinker_push(&shrinker);
            }
        }
    }
    free(packed);
    return halftone_shrinker_close(&shrinker, status);
}

static halftone_status decode_file(halftone_job *job, TIFF *tiff) {
    halftone_picture *picture = job->picture;
    uint32_t width = 0, height = 0;
    functions.TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width);
    functions.TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height);
    halftone_status status = halftone_check_size(job, width, height, false);
    if (status) return status;
    uint32_t band = rows_together(tiff, height);
    if ((int64_t)band * width > job->limits->max_frame_pixels) return HALFTONE_TOO_LARGE;
    if (!is_known(tiff)) return halftone_broken(picture, "its compression is not supported");
    note_colors(tiff, width, picture);
    if (picture->colors.model == HALFTONE_INKS) return read_rows(job, tiff, NULL, 1);
    TIFFRGBAImage image;
    char words[1024] = "";
    if (!functions.TIFFRGBAImageBegin(&image, tiff, 0, words)) return halftone_broken(picture, words);
    // Keeps the stored orientation; the caller turns the picture.
    image.req_orientation = image.orientation;
    picture->may_be_clear = image.alpha != 0;
    status = read_rows(job, tiff, &image, band);
    functions.TIFFRGBAImageEnd(&image);
    return status;
}

static halftone_status decode(halftone_job *job) {
    TIFF *tiff = open_file(job);
    if (!tiff) return halftone_broken(job->picture, "it is no TIFF");
    halftone_status status = decode_file(job, tiff);
    functions.TIFFClose(tiff);
    // After an error, the parts that could not be decoded are missing.
    if (!status && job->picture->error[0]) job->picture->partial = true;
    return status;
}

const halftone_codec halftone_tiff = {
    .decode = decode, .library = HALFTONE_LIBTIFF, .functions = places};
#else
const halftone_codec halftone_tiff = {0};
#endif

#include "decoding.h"
#include <png.h>
#include <setjmp.h>
#include <zlib.h>

// Memory limit per chunk; pictures on the web have colour profiles of some hundred kilobytes.
static const png_alloc_size_t max_chunk = 8 << 20;
// Bytes read and decompressed at once: the most that can be lost at the end of a truncated file.
static const size_t portion = 1 << 10;
// A row of this many pixels takes 8 MB at 16 bits; PNG allows 2³¹.
static const png_uint_32 max_side = 1000000;

// All state that a decode changes; see jpeg.c.
typedef struct {
    png_structp png;
    png_infop info;
    halftone_job *job;
    halftone_picture *picture;  // the job's
    halftone_shrinker shrinker;
    halftone_status status;
    uint8_t *frame;     // the whole frame, if interlaced
    int frame_rows;     // how many of its rows a pass has reached
} png_work;

static void check(png_work *work, halftone_status status) {
    work->status = status;
    if (status) png_longjmp(work->png, 1);
}

static void fail(png_structp png, png_const_charp words) {
    png_work *work = png_get_error_ptr(png);
    check(work, halftone_broken(work->picture, words));
}

static void ignore(png_structp png, png_const_charp words) {}

static void take(png_structp png, png_bytep bytes, size_t count) {
    png_work *work = png_get_io_ptr(png);
    if (halftone_take(work->job, bytes, count) < count) png_error(png, "the file ends early");
}

static void check_deadline(png_work *work) {
    if (halftone_deadline_passed(&work->job->deadline)) check(work, HALFTONE_TOO_SLOW);
}

// Whether a transparent colour precedes the palette, which makes it void; libpng 1.6.47 and later would apply it.
static bool clear_color_is_void(const halftone_job *job) {
    bool has_clear_color = false;
    for (size_t at = 8, length; at < job->count && job->count - at >= 12; at += length + 12) {
        const uint8_t *chunk = job->bytes + at;
        if (!memcmp(chunk + 4, "PLTE", 4)) return has_clear_color;
        if (!memcmp(chunk + 4, "IDAT", 4)) break;
        has_clear_color |= !memcmp(chunk + 4, "tRNS", 4);
        length = halftone_big_endian(chunk, 4);
    }
    return false;
}

static void begin(png_work *work) {
    png_structp png = work->png;
    png_infop info = work->info;
    png_set_read_fn(png, work, take);
    png_set_user_limits(png, max_side, max_side);
    png_set_chunk_malloc_max(png, max_chunk);
    png_set_benign_errors(png, 1);
    png_set_compression_buffer_size(png, portion);
    // A picture is not rejected for its checksums, and the animation frames that we write have none.
    png_set_crc_action(png, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
    // Text and similar chunks are discarded unread; only those that affect pixels are kept.
    static const png_byte names[] = "zTXt\0iTXt\0tEXt\0eXIf\0sPLT\0hIST\0pCAL\0sCAL\0tIME\0tRNS";
    int count = (int)(sizeof names / 5) - !clear_color_is_void(work->job);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, names, count);
    png_read_info(png, info);
    bool interlaced = png_get_interlace_type(png, info) != PNG_INTERLACE_NONE;
    check(work, halftone_check_size(
        work->job, png_get_image_width(png, info), png_get_image_height(png, info), interlaced));
}

// Uses the profile, or else gAMA and cHRM; nothing if the file declares sRGB. (A file must not contain both; libpng uses the first.)
static void note_colors(png_work *work) {
    png_structp png = work->png;
    png_infop info = work->info;
    halftone_colors *colors = &work->picture->colors;
    bool has_color = (png_get_color_type(png, info) & PNG_COLOR_MASK_COLOR) != 0;
    colors->model = has_color ? HALFTONE_RGB : HALFTONE_GRAY;
    if (png_get_valid(png, info, PNG_INFO_sRGB)) return;
    png_charp name;
    png_bytep profile;
    png_uint_32 count;
    int method;
    if (png_get_iCCP(png, info, &name, &method, &profile, &count)) {
        halftone_keep_profile(work->picture, profile, count);
        return;
    }
    double gamma = 0, *c = colors->chromaticities;
    // Display exponents lie between 1 and 2.6; a value far outside is a mistake.
    if (!png_get_gAMA(png, info, &gamma) || !(gamma > 0.2 && gamma < 2)) return;
    colors->gamma = 1 / gamma;
    colors->has_chromaticities =
        has_color
        && png_get_cHRM(png, info, &c[0], &c[1], &c[2], &c[3], &c[4], &c[5], &c[6], &c[7]);
}

// Reducing 16-bit linear samples to 8 bits would leave nothing between sRGB's code values 0 and 13, so a curve like sRGB's is applied
// first.
static void keep_darkness(png_work *work) {
    halftone_colors *colors = &work->picture->colors;
    if (png_get_bit_depth(work->png, work->info) < 16 || colors->gamma == 0 || colors->gamma > 2)
        return;
    png_set_gamma(work->png, 2.4, 1 / colors->gamma);
    colors->gamma = 2.4;
}

// Converts all pixel types to 8-bit RGBA.
static void ask_for_rgba(png_work *work) {
    png_structp png = work->png;
    int clear_colors = 0;  // none if the library has dropped them again
    png_get_tRNS(png, work->info, NULL, &clear_colors, NULL);
    work->picture->may_be_clear =
        clear_colors > 0 || png_get_color_type(png, work->info) & PNG_COLOR_MASK_ALPHA;
    png_set_expand(png);
    keep_darkness(work);
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    if (!work->picture->may_be_clear) png_set_add_alpha(png, 0xFF, PNG_FILLER_AFTER);
}

static void start(png_work *work) {
    png_structp png = work->png;
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, work->info);
    int width = work->picture->source_width, height = work->picture->source_height;
    if (png_get_rowbytes(png, work->info) != (size_t)width * 4) png_error(png, "not four channels");
    if (passes > 1) {
        work->frame = halftone_blank(width, height);
        if (!work->frame) png_error(png, "out of memory");
        return;
    }
    check(work, halftone_shrinker_open(&work->shrinker, work->job, width, height));
}

static void read_file(png_work *work) {
    if (setjmp(png_jmpbuf(work->png))) return;
    begin(work);
    note_colors(work);
    if (!work->job->header_only) {
        ask_for_rgba(work);
        start(work);
        while (work->shrinker.next < work->shrinker.height) {
            check_deadline(work);
            png_read_row(work->png, halftone_shrinker_row(&work->shrinker), NULL);
            halftone_shrinker_push(&work->shrinker);
        }
        // Each pass fills the gaps left by earlier ones; until then a pixel is spread over its gap ("sparkle" off).
        int height = work->picture->source_height;
        size_t row_bytes = (size_t)work->picture->source_width * 4;
        for (int row = 0; work->frame && row < PNG_INTERLACE_ADAM7_PASSES * height; row++) {
            int y = row % height;
            check_deadline(work);
            png_read_row(work->png, NULL, work->frame + row_bytes * (size_t)y);
            if (work->frame_rows <= y) work->frame_rows = y + 1;
        }
    }
}

// A broken interlaced file is shown as far as any pass has reached, others as far as rows were decoded.
static halftone_status shrink(png_work *work) {
    halftone_picture *picture = work->picture;
    if (work->frame_rows == 0 || work->status == HALFTONE_TOO_SLOW)
        return halftone_shrinker_close(&work->shrinker, work->status);
    if (work->status == HALFTONE_BROKEN) picture->partial = true;
    return halftone_shrink_frame(work->job, work->frame, work->frame_rows);
}

static halftone_status decode(halftone_job *job) {
    png_work work = {.job = job, .picture = job->picture, .status = HALFTONE_BROKEN};
    work.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &work, fail, ignore);
    work.info = work.png ? png_create_info_struct(work.png) : NULL;
    if (work.info)
        read_file(&work);
    else
        halftone_broken(job->picture, "out of memory");
    halftone_status status = shrink(&work);
    free(work.frame);
    png_destroy_read_struct(&work.png, &work.info, NULL);
    return status;
}

const halftone_codec halftone_png = {.decode = decode, .player = &halftone_png_player};

size_t halftone_unpack(const uint8_t *packed, size_t count, uint8_t *bytes, size_t capacity) {
    uLongf length = capacity;
    return uncompress(bytes, &length, packed, count) == Z_OK ? length : 0;
}

// A PNG that is written, for terminals that show pictures.
typedef struct {
    uint8_t *bytes;
    size_t count, capacity;
} png_output;

static void put(png_structp png, png_bytep bytes, size_t count) {
    png_output *output = png_get_io_ptr(png);
    if (count > output->capacity - output->count) png_error(png, "no room");
    memcpy(output->bytes + output->count, bytes, count);
    output->count += count;
}

static void flush(png_structp png) {}

// libpng's default would print the message to standard error.
static void give_up(png_structp png, png_const_charp words) { png_longjmp(png, 1); }

size_t halftone_write_png(
    const uint8_t *rgba, int width, int height, uint8_t *bytes, size_t capacity) {
    png_output output = {bytes, 0, capacity};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, give_up, ignore);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return 0;
    }
    png_set_write_fn(png, &output, put, flush);
    // The fastest level, and the filter that suits photographs best: half the size of no filter.
    png_set_compression_level(png, 1);
    png_set_filter(png, 0, PNG_FILTER_SUB);
    png_set_IHDR(
        png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGB,
        PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_BASE, PNG_FILTER_TYPE_BASE);
    png_write_info(png, info);
    png_set_filler(png, 0, PNG_FILLER_AFTER);
    for (int y = 0; y < height; y++) png_write_row(png, rgba + (size_t)y * (size_t)width * 4);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return output.count;
}

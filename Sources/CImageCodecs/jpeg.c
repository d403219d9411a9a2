#include "decoding.h"
#include <setjmp.h>
#include <stdio.h>
#include <jpeglib.h>
#include <jerror.h>

// All state that a decode changes lives here, in the caller's frame: longjmp would clobber locals of the function that calls setjmp.
typedef struct {
    struct jpeg_error_mgr errors;  // first, so that the library's pointer to it is one to all of this
    struct jpeg_decompress_struct jpeg;
    jmp_buf escape;
    halftone_job *job;
    halftone_picture *picture;  // the job's
    halftone_shrinker shrinker;
    halftone_status status;
    bool ends_early;
} jpeg_work;

// Notes how a step went, and ends the decode unless it went well.
static void check(jpeg_work *work, halftone_status status) {
    work->status = status;
    if (status) longjmp(work->escape, 1);
}

static void fail(j_common_ptr jpeg) {
    jpeg_work *work = (jpeg_work *)jpeg->err;
    char words[JMSG_LENGTH_MAX];
    jpeg->err->format_message(jpeg, words);
    // This build has no backing store; the library asks for one when max_memory_to_use is reached.
    bool memory = jpeg->err->msg_code == JERR_NO_BACKING_STORE;
    check(work, halftone_broken(work->picture, memory ? "it needs too much memory" : words));
}

// Warnings are not printed; two of them indicate missing data, after which a restart marker may lead on.
static void note(j_common_ptr jpeg, int level) {
    jpeg_work *work = (jpeg_work *)jpeg->err;
    int code = jpeg->err->msg_code;
    if (level >= 0 || (code != JWRN_JPEG_EOF && code != JWRN_HIT_MARKER)) return;
    work->picture->partial = true;
    work->ends_early |= work->jpeg.unread_marker < JPEG_RST0 || work->jpeg.unread_marker >= JPEG_EOI;
}

static void check_deadline(jpeg_work *work) {
    if (halftone_deadline_passed(&work->job->deadline)) check(work, HALFTONE_TOO_SLOW);
}

static void begin(jpeg_work *work) {
    j_decompress_ptr jpeg = &work->jpeg;
    jpeg_create_decompress(jpeg);
    jpeg->mem->max_memory_to_use = (long)work->job->limits->max_memory;
    jpeg_mem_src(jpeg, work->job->bytes, work->job->count);
    jpeg_save_markers(jpeg, JPEG_APP0 + 2, 0xFFFF);
    jpeg_read_header(jpeg, TRUE);
    check(work, halftone_check_size(work->job, jpeg->image_width, jpeg->image_height, false));
}

static void note_colors(jpeg_work *work) {
    j_decompress_ptr jpeg = &work->jpeg;
    halftone_colors *colors = &work->picture->colors;
    bool inks = jpeg->jpeg_color_space == JCS_CMYK || jpeg->jpeg_color_space == JCS_YCCK;
    bool gray = jpeg->jpeg_color_space == JCS_GRAYSCALE;
    colors->model = inks ? HALFTONE_INKS : gray ? HALFTONE_GRAY : HALFTONE_RGB;
    // Adobe's programs store inks inverted, 255 being none, and nearly all CMYK files are theirs.
    colors->inverted = jpeg->saw_Adobe_marker;
    JOCTET *profile = NULL;
    unsigned count = 0;
    if (jpeg_read_icc_profile(jpeg, &profile, &count))
        halftone_keep_profile(work->picture, profile, count);
    free(profile);
}

// Chooses the smallest of 1/8, 2/8, 4/8 and 8/8 that covers the target, and cheaper algorithms when reducing. The library offers the other
// eighths too, but without SIMD: 3/8 takes longer than 4/8, 5/8 than 8/8.
static void choose_scale(jpeg_work *work) {
    j_decompress_ptr jpeg = &work->jpeg;
    halftone_target target = halftone_fine_target(work->job);
    jpeg->out_color_space =
        work->picture->colors.model == HALFTONE_INKS ? JCS_CMYK : JCS_EXT_RGBA;
    jpeg->scale_denom = 8;
    for (jpeg->scale_num = 1; jpeg->scale_num <= 8; jpeg->scale_num *= 2) {
        jpeg_calc_output_dimensions(jpeg);
        if ((int)jpeg->output_width >= target.width && (int)jpeg->output_height >= target.height)
            break;
    }
    if (jpeg->scale_num < 8) {
        // The loss of precision is averaged away.
        jpeg->dct_method = JDCT_IFAST;
        jpeg->do_fancy_upsampling = FALSE;
    }
}

// Whether the coefficients needed for blocks of 1 × 1 or 2 × 2 pixels are known to a step of at most 2. The remaining scans, most of the
// file, would change what is hardly visible and then averaged.
static bool has_enough(const struct jpeg_decompress_struct *jpeg) {
    static const int zigzag[] = {0, 1, 2, 4};
    if (!jpeg->coef_bits || jpeg->scale_num > 2) return false;
    unsigned needed = jpeg->scale_num * jpeg->scale_num;
    for (int c = 0; c < jpeg->num_components; c++)
        for (unsigned i = 0; i < needed; i++)
            if (jpeg->coef_bits[c][zigzag[i]] < 0 || jpeg->coef_bits[c][zigzag[i]] > 1) return false;
    return true;
}

// Reads scans of a multi-scan file until there are enough: a file that repeats scans thousands of times would otherwise cost minutes.
static void read_scans(jpeg_work *work) {
    j_decompress_ptr jpeg = &work->jpeg;
    for (int scans = 0, code = 0; code != JPEG_REACHED_EOI;) {
        check_deadline(work);
        code = jpeg_consume_input(jpeg);
        if (code != JPEG_SCAN_COMPLETED) continue;
        if (has_enough(jpeg)) return;
        if (++scans == work->job->limits->max_scans) {
            work->picture->partial = true;
            return;
        }
    }
}

static void start(jpeg_work *work) {
    j_decompress_ptr jpeg = &work->jpeg;
    jpeg->buffered_image = jpeg_has_multiple_scans(jpeg);
    jpeg_start_decompress(jpeg);
    if (jpeg->buffered_image) {
        read_scans(work);
        // Estimates missing coefficients: good for a truncated file, useless at reduced scale, where they are not used.
        jpeg->do_block_smoothing = jpeg->scale_num == 8;
        jpeg_start_output(jpeg, jpeg->input_scan_number);
    }
    check(work, halftone_shrinker_open(
        &work->shrinker, work->job, (int)jpeg->output_width, (int)jpeg->output_height));
}

// The end of the rows with data: the library pads a truncated file with grey.
static JDIMENSION end_of_rows(const jpeg_work *work) {
    const struct jpeg_decompress_struct *jpeg = &work->jpeg;
    if (!work->ends_early || jpeg->buffered_image) return jpeg->output_height;
    JDIMENSION step = (JDIMENSION)(jpeg->max_v_samp_factor * jpeg->min_DCT_scaled_size);
    JDIMENSION end = (jpeg->output_scanline + step - 1) / step * step;
    return end < jpeg->output_height ? end : jpeg->output_height;
}

// Inks without a profile are converted row by row; with one they stay inks until the picture is reduced.
static void read_rows(jpeg_work *work) {
    j_decompress_ptr jpeg = &work->jpeg;
    const halftone_colors *colors = &work->picture->colors;
    bool plain_inks = colors->model == HALFTONE_INKS && !colors->profile;
    JDIMENSION end = jpeg->output_height;
    while (jpeg->output_scanline < end) {
        check_deadline(work);
        JSAMPROW row = halftone_shrinker_row(&work->shrinker);
        bool was_whole = !work->ends_early;
        jpeg_read_scanlines(jpeg, &row, 1);
        if (was_whole) end = end_of_rows(work);
        if (plain_inks) halftone_plain_inks(colors, row, jpeg->output_width);
        halftone_shrinker_push(&work->shrinker);
    }
}

static void read_file(jpeg_work *work) {
    if (setjmp(work->escape)) return;
    begin(work);
    note_colors(work);
    if (!work->job->header_only) {
        choose_scale(work);
        start(work);
        read_rows(work);
    }
}

static halftone_status decode(halftone_job *job) {
    jpeg_work work = {.job = job, .picture = job->picture, .status = HALFTONE_BROKEN};
    work.jpeg.err = jpeg_std_error(&work.errors);
    work.errors.error_exit = fail;
    work.errors.emit_message = note;
    read_file(&work);
    halftone_status status = halftone_shrinker_close(&work.shrinker, work.status);
    jpeg_destroy_decompress(&work.jpeg);
    return status;
}

const halftone_codec halftone_jpeg = {.decode = decode};

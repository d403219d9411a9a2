// For dladdr, which is not in POSIX.
#define _GNU_SOURCE
#include "decoding.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
#include <jpeglib.h>

const halftone_codec *const halftone_codecs[] = {
    [HALFTONE_JPEG] = &halftone_jpeg, [HALFTONE_PNG] = &halftone_png,
    [HALFTONE_WEBP] = &halftone_webp, [HALFTONE_GIF] = &halftone_gif,
    [HALFTONE_TIFF] = &halftone_tiff, [HALFTONE_AVIF] = &halftone_avif, [HALFTONE_JXL] = &halftone_jxl,
    [HALFTONE_HEIC] = &halftone_heic,
    [HALFTONE_STILL] = &halftone_still, [HALFTONE_CONTAINER] = &halftone_container,
    [HALFTONE_SVG] = &halftone_svg, [HALFTONE_PDF] = &halftone_pdf,
};

bool halftone_can_decode(halftone_format format) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool is_tried[HALFTONE_PDF + 1], is_loaded[HALFTONE_PDF + 1];
    const halftone_codec *codec = halftone_codecs[format];
    if (!codec->functions) return codec->decode != NULL;
    pthread_mutex_lock(&lock);
    if (!is_tried[format])
        is_loaded[format] =
            halftone_load(codec->library, codec->functions) && (!codec->start || codec->start());
    is_tried[format] = true;
    bool can_decode = is_loaded[format];
    pthread_mutex_unlock(&lock);
    return can_decode;
}

const char *halftone_library_name(halftone_format format) {
    const halftone_codec *codec = halftone_codecs[format];
    return codec->functions ? *halftone_library_names(codec->library) : NULL;
}

// Optional libraries are assumed to be in the same folder as libjpeg.
bool halftone_may_decode(halftone_format format) {
    const halftone_codec *codec = halftone_codecs[format];
    if (!codec->functions) return codec->decode != NULL;
    Dl_info info;
    const char *slash =
        dladdr((const void *)jpeg_std_error, &info) && info.dli_fname ? strrchr(info.dli_fname, '/') : NULL;
    for (const char *const *name = halftone_library_names(codec->library); slash && *name; name++) {
        char path[1024];
        int count =
            snprintf(path, sizeof path, "%.*s/%s", (int)(slash - info.dli_fname), info.dli_fname, *name);
        if (count > 0 && count < (int)sizeof path && !access(path, R_OK)) return true;
    }
    return false;
}

halftone_job halftone_job_for(
    const uint8_t *bytes, size_t count, const halftone_limits *limits, halftone_picture *picture) {
    return (halftone_job){
        .bytes = bytes, .count = count, .file = -1, .limits = limits,
        .deadline = halftone_deadline_for(limits), .picture = picture};
}

size_t halftone_take(halftone_job *job, void *target, size_t count) {
    size_t left = job->count - job->position;
    size_t taken = count < left ? count : left;
    memcpy(target, job->bytes + job->position, taken);
    job->position += taken;
    return taken;
}

halftone_status halftone_decode(
    halftone_format format, const uint8_t *bytes, size_t count, int file, halftone_target target,
    const halftone_limits *limits, halftone_picture *picture) {
    if (!halftone_can_decode(format)) return halftone_broken(picture, "its library is missing");
    halftone_job job = halftone_job_for(bytes, count, limits, picture);
    job.file = file;
    job.target = target;
    halftone_status status = halftone_codecs[format]->decode(&job);
    const halftone_colors *colors = &picture->colors;
    if (!status && colors->model == HALFTONE_INKS && colors->profile) {
        // Now, before their fourth byte can be mistaken for alpha.
        size_t pixels = (size_t)picture->width * (size_t)picture->rows;
        if (!halftone_convert(colors, picture->rgba, pixels, limits))
            halftone_plain_inks(colors, picture->rgba, pixels);
    }
    return status;
}

void halftone_read_jpeg_header(
    const uint8_t *bytes, size_t count, const halftone_limits *limits, halftone_picture *picture) {
    halftone_job job = halftone_job_for(bytes, count, limits, picture);
    job.header_only = true;
    halftone_jpeg.decode(&job);
}

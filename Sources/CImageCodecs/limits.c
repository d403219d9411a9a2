#include "decoding.h"
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

// Printer profiles are up to about 3 MB.
static const size_t max_profile = 4 << 20;

halftone_status halftone_broken(halftone_picture *picture, const char *words) {
    if (!picture->error[0]) snprintf(picture->error, sizeof picture->error, "%s", words);
    return HALFTONE_BROKEN;
}

void halftone_picture_free(halftone_picture *picture) {
    free(picture->rgba);
    free(picture->colors.profile);
    picture->rgba = NULL;
    picture->colors.profile = NULL;
}

void halftone_keep_profile(halftone_picture *picture, const uint8_t *bytes, size_t count) {
    if (count == 0 || count > max_profile || picture->colors.profile) return;
    picture->colors.profile = halftone_copy(bytes, count);
    picture->colors.profile_count = count;
}

halftone_status halftone_check_size(
    halftone_job *job, int64_t width, int64_t height, bool whole_frame) {
    halftone_picture *picture = job->picture;
    const halftone_limits *limits = job->limits;
    // 2³¹ - 1 is PNG's longest side; the product of two cannot overflow 64 bits.
    if (width < 1 || height < 1 || width > INT32_MAX || height > INT32_MAX)
        return halftone_broken(picture, "it has no size");
    picture->source_width = (int)width;
    picture->source_height = (int)height;
    bool is_too_large = width * height > limits->max_pixels
        || (whole_frame && width * height > limits->max_frame_pixels);
    return is_too_large ? HALFTONE_TOO_LARGE : HALFTONE_DECODED;
}

static double thread_seconds(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)) return 0;
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

halftone_deadline halftone_deadline_for(const halftone_limits *limits) {
    return (halftone_deadline){
        .end = thread_seconds() + limits->seconds, .cancelled = limits->cancelled};
}

// Whether a `cancelled` is raised; NULL never is.
static bool is_raised(const void *flag) {
    return flag && atomic_load_explicit((const atomic_bool *)flag, memory_order_relaxed);
}

bool halftone_deadline_passed(halftone_deadline *deadline) {
    return is_raised(deadline->cancelled)
        || (++deadline->questions % 16 == 0 && thread_seconds() > deadline->end);
}

bool halftone_deadline_passed_now(const halftone_deadline *deadline) {
    return is_raised(deadline->cancelled) || thread_seconds() > deadline->end;
}

halftone_target halftone_clamped(halftone_target target, int width, int height) {
    bool whole = target.width < 1 || target.height < 1;
    if (whole || target.width > width) target.width = width;
    if (whole || target.height > height) target.height = height;
    return target;
}

halftone_target halftone_fine_target(const halftone_job *job) {
    halftone_target target = job->target;
    int width = job->picture->source_width, height = job->picture->source_height;
    // More than 2.5 bits per pixel; photographs have 1 to 2 at qualities used on the web.
    if ((int64_t)job->count * 16 > (int64_t)width * height * 5) {
        if (target.width < width) target.width *= 2;
        if (target.height < height) target.height *= 2;
    }
    return halftone_clamped(target, width, height);
}

uint8_t *halftone_blank(int width, int height) {
    return calloc((size_t)width * (size_t)height, 4);
}

void halftone_unpremultiply(uint8_t *rgba, size_t count) {
    for (size_t i = 0; i < count; i++, rgba += 4) {
        unsigned alpha = rgba[3];
        for (int c = 0; c < 3 && alpha > 0 && alpha < 255; c++) {
            unsigned color = (rgba[c] * 255 + alpha / 2) / alpha;
            rgba[c] = (uint8_t)(color < 255 ? color : 255);
        }
    }
}

halftone_status halftone_make_scaled(halftone_job *job) {
    halftone_picture *picture = job->picture;
    int width = picture->source_width, height = picture->source_height;
    halftone_target target = halftone_clamped(job->target, width, height);
    int64_t by_height = ((int64_t)width * target.height + height - 1) / height;
    int64_t by_width = ((int64_t)height * target.width + width - 1) / width;
    bool is_wide = by_height >= target.width;
    picture->width = is_wide ? (int)by_height : target.width;
    picture->height = is_wide ? target.height : (int)by_width;
    picture->rgba = halftone_blank(picture->width, picture->height);
    return picture->rgba ? HALFTONE_DECODED : halftone_broken(picture, "out of memory");
}

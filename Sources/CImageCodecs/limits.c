#include "decoding.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

halftone_status halftone_broken(halftone_picture *picture, const char *words) {
    if (!picture->error[0]) snprintf(picture->error, sizeof picture->error, "%s", words);
    return HALFTONE_BROKEN;
}

void halftone_picture_free(halftone_picture *picture) {
    free(picture->rgba);
    picture->rgba = NULL;
}

halftone_status halftone_check_size(
    halftone_picture *picture, int64_t width, int64_t height, bool whole_frame,
    const halftone_limits *limits) {
    // 2³¹ - 1 is PNG's greatest side; the product of two cannot overflow 64 bits.
    if (width < 1 || height < 1 || width > INT32_MAX || height > INT32_MAX)
        return halftone_broken(picture, "it has no size");
    picture->source_width = (int)width;
    picture->source_height = (int)height;
    if (width * height > limits->max_pixels) return HALFTONE_TOO_LARGE;
    if (whole_frame && width * height > limits->max_frame_pixels) return HALFTONE_TOO_LARGE_FRAME;
    return HALFTONE_DECODED;
}

static double thread_seconds(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)) return 0;
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

halftone_deadline halftone_deadline_in(double seconds) {
    return (halftone_deadline){.end = thread_seconds() + seconds};
}

bool halftone_deadline_passed(halftone_deadline *deadline) {
    return ++deadline->questions % 16 == 0 && thread_seconds() > deadline->end;
}

halftone_target halftone_clamped(halftone_target target, int width, int height) {
    bool whole = target.width < 1 || target.height < 1;
    if (whole || target.width > width) target.width = width;
    if (whole || target.height > height) target.height = height;
    return target;
}

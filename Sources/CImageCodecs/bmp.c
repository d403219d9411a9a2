#include "decoding.h"

#if __has_include(<stb/stb_image.h>)
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_BMP
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#include <stb/stb_image.h>
#pragma clang diagnostic pop

// Whether an uncompressed file is truncated; the library silently reads zeros there.
static bool ends_early(const uint8_t *bytes, size_t count, int width, int height) {
    const size_t old_header = 12;
    bool is_old = halftone_little_endian(bytes + 14, 4) == old_header;
    uint64_t bits = halftone_little_endian(bytes + (is_old ? 24 : 28), 2);
    uint64_t row = ((uint64_t)width * bits + 31) / 32 * 4;
    return halftone_little_endian(bytes + 10, 4) + row * (uint64_t)height > count;
}

static halftone_status decode(halftone_job *job) {
    halftone_picture *picture = job->picture;
    // The size of both headers, which also covers the fields read above.
    if (job->count < 54 || job->count > INT32_MAX)
        return halftone_broken(picture, "the file ends early");
    int count = (int)job->count;
    int width = 0, height = 0, channels = 0;  // of rows from the top down, the height is negative
    if (!stbi_info_from_memory(job->bytes, count, &width, &height, &channels))
        return halftone_broken(picture, stbi_failure_reason());
    halftone_status status =
        halftone_check_size(job, width, height < 0 ? -(int64_t)height : height, true);
    if (status != HALFTONE_DECODED) return status;
    uint8_t *rgba = stbi_load_from_memory(job->bytes, count, &width, &height, &channels, 4);
    if (!rgba) return halftone_broken(picture, stbi_failure_reason());
    picture->may_be_clear = channels == 4;
    picture->partial = ends_early(job->bytes, job->count, width, height);
    status = halftone_shrink_frame(job, rgba, height);
    stbi_image_free(rgba);
    return status;
}

const halftone_codec halftone_bmp = {.decode = decode};
#else
const halftone_codec halftone_bmp = {0};
#endif

// dladdr is not in POSIX.
#define _GNU_SOURCE
#include "decoding.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <jpeglib.h>

enum { FORMATS = HALFTONE_SVG + 1 };

static const halftone_codec *const codecs[FORMATS] = {
    [HALFTONE_JPEG] = &halftone_jpeg, [HALFTONE_PNG] = &halftone_png,
    [HALFTONE_WEBP] = &halftone_webp, [HALFTONE_GIF] = &halftone_gif,
    [HALFTONE_TIFF] = &halftone_tiff, [HALFTONE_BMP] = &halftone_bmp,
    [HALFTONE_AVIF] = &halftone_avif, [HALFTONE_JXL] = &halftone_jxl,
    [HALFTONE_SVG] = &halftone_svg,
};

bool halftone_can_decode(halftone_format format) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static enum { NOT_TRIED, LOADED, MISSING } loads[FORMATS];
    const halftone_codec *codec = codecs[format];
    if (!codec->load) return codec->decode != NULL;
    pthread_mutex_lock(&lock);
    if (loads[format] == NOT_TRIED) loads[format] = codec->load() ? LOADED : MISSING;
    bool is_loaded = loads[format] == LOADED;
    pthread_mutex_unlock(&lock);
    return is_loaded;
}

static bool lies_in(const char *folder, int length, const char *const *names) {
    char path[1024];
    for (; *names; names++) {
        int count = snprintf(path, sizeof path, "%.*s/%s", length, folder, *names);
        if (count > 0 && count < (int)sizeof path && !access(path, R_OK)) return true;
    }
    return false;
}

// Where libjpeg lies, other libraries lie too.
bool halftone_may_decode(halftone_format format) {
    const halftone_codec *codec = codecs[format];
    if (!codec->libraries) return codec->decode != NULL;
    Dl_info info;
    const char *end = dladdr((const void *)jpeg_std_error, &info) && info.dli_fname
        ? strrchr(info.dli_fname, '/') : NULL;
    return end && lies_in(info.dli_fname, (int)(end - info.dli_fname), codec->libraries);
}

halftone_status halftone_decode(
    halftone_format format, const uint8_t *bytes, size_t count, halftone_target target,
    const halftone_limits *limits, halftone_picture *picture) {
    if (!halftone_can_decode(format)) return halftone_broken(picture, "its library is missing");
    halftone_job job = {
        .bytes = bytes, .count = count, .target = target, .limits = limits,
        .deadline = halftone_deadline_for(limits), .picture = picture};
    return codecs[format]->decode(&job);
}

void *halftone_library_open(const char *const *names) {
    for (; *names; names++) {
        void *library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
        if (library) return library;
    }
    return NULL;
}

bool halftone_library_find(void *library, const char *name, void *function) {
    void *found = dlsym(library, name);
    // POSIX lets a pointer to a function be kept in one to data; C has no cast for it.
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

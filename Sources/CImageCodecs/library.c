// dladdr is not in POSIX.
#define _GNU_SOURCE
#include "library.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <jpeglib.h>

void *halftone_library_open(const char *const *names) {
    for (; *names; names++) {
        void *library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
        if (library) return library;
    }
    return NULL;
}

static bool lies_in(const char *folder, int length, const char *const *names) {
    char path[1024];
    for (; *names; names++) {
        int count = snprintf(path, sizeof path, "%.*s/%s", length, folder, *names);
        if (count > 0 && count < (int)sizeof path && !access(path, R_OK)) return true;
    }
    return false;
}

bool halftone_library_is_near(const char *const *names) {
    Dl_info info;
    const char *end = dladdr((const void *)jpeg_std_error, &info) && info.dli_fname
        ? strrchr(info.dli_fname, '/') : NULL;
    return end && lies_in(info.dli_fname, (int)(end - info.dli_fname), names);
}

bool halftone_library_find(void *library, const char *name, void *function) {
    void *found = dlsym(library, name);
    // POSIX lets a pointer to a function be kept in one to data; C has no cast for it.
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

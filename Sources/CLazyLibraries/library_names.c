#include "CLazyLibraries.h"
#include <dlfcn.h>
#include <string.h>

#if __has_include(<avif/avif.h>)
#include <avif/avif.h>
#endif
#if __has_include(<jxl/version.h>)
#include <jxl/version.h>
#endif
#if __has_include(<libavformat/version.h>) && __has_include(<libswscale/version.h>)
#include <libavformat/version.h>
#include <libswscale/version.h>
#endif

// Debian 12 has libtiff.so.6, libavif.so.15 and libjxl.so.0.7, Debian 13 libtiff.so.6, libavif.so.16 and libjxl.so.0.11, Ubuntu 24.04
// libtiff.so.6, libavif.so.16 and libjxl.so.0.7. The others have had the same name for ten years and more.
static const char *const names[][4] = {
    [HALFTONE_LIBARCHIVE] = {"libarchive.so.13"},
    [HALFTONE_LIBCURL] = {"libcurl.so.4", "libcurl-gnutls.so.4"},
    // libtiff.so.5 has no limits for a single file.
    [HALFTONE_LIBTIFF] = {"libtiff.so.6"},
    // Its structures change with the name, so that it must be the one whose header was compiled.
#if !defined AVIF_VERSION || AVIF_VERSION_MAJOR >= 1
    [HALFTONE_LIBAVIF] = {"libavif.so.16"},
#else
    [HALFTONE_LIBAVIF] = {"libavif.so.15"},
#endif
    // 0.9 removed a parameter.
#if defined JPEGXL_MAJOR_VERSION && JPEGXL_MAJOR_VERSION == 0 && JPEGXL_MINOR_VERSION < 9
    [HALFTONE_LIBJXL] = {"libjxl.so.0.8", "libjxl.so.0.7"},
#else
    [HALFTONE_LIBJXL] = {"libjxl.so.0.11", "libjxl.so.0.10", "libjxl.so.0.9"},
#endif
    [HALFTONE_LIBRSVG] = {"librsvg-2.so.2"},
#ifdef LIBSWSCALE_VERSION_MAJOR
    // Their structures change with the names too.
    [HALFTONE_LIBAVFORMAT] = {"libavformat.so." AV_STRINGIFY(LIBAVFORMAT_VERSION_MAJOR)},
    [HALFTONE_LIBSWSCALE] = {"libswscale.so." AV_STRINGIFY(LIBSWSCALE_VERSION_MAJOR)},
#endif
    [HALFTONE_LIBSQLITE] = {"libsqlite3.so.0"},
    [HALFTONE_LIBHEIF] = {"libheif.so.1"},
    [HALFTONE_LIBPOPPLER] = {"libpoppler-glib.so.8"},
};

const char *const *halftone_library_names(halftone_library library) { return names[library]; }

bool halftone_load(halftone_library library, const halftone_function *functions) {
    for (const char *const *name = names[library]; *name; name++) {
        // Never closed: the loader counts references and returns the same handle each time.
        void *handle = dlopen(*name, RTLD_NOW | RTLD_LOCAL);
        if (!handle) continue;
        const halftone_function *function = functions;
        for (void *found; function->name && (found = dlsym(handle, function->name)); function++)
            // POSIX allows storing function pointers in data pointers, but C has no cast for it. Another library may have it already, and
            // other threads call it.
            if (memcmp(function->place, &found, sizeof found)) memcpy(function->place, &found, sizeof found);
        if (!function->name) return true;
    }
    return false;
}

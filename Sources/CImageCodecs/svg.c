#include "decoding.h"

// Built without librsvg's headers: they need those of GLib, Cairo and others, fifty packages. The functions used have had a stable ABI for
// many years (librsvg 2.46, 2019), and are declared here.
typedef struct RsvgHandle RsvgHandle;
typedef struct cairo_surface cairo_surface;
typedef struct cairo_context cairo_context;
typedef struct { double x, y, width, height; } RsvgRectangle;
typedef struct { uint32_t domain; int code; char *message; } GError;

enum { CAIRO_FORMAT_ARGB32 = 0, CAIRO_STATUS_SUCCESS = 0 };

RsvgHandle *rsvg_handle_new_from_data(const uint8_t *bytes, size_t count, GError **error);
void rsvg_handle_set_dpi(RsvgHandle *handle, double dpi);
int rsvg_handle_render_document(
    RsvgHandle *handle, cairo_context *context, const RsvgRectangle *viewport, GError **error);
void g_object_unref(void *object);
void g_error_free(GError *error);
cairo_surface *cairo_image_surface_create_for_data(
    uint8_t *bytes, int format, int width, int height, int stride);
int cairo_surface_status(cairo_surface *surface);
void cairo_surface_flush(cairo_surface *surface);
void cairo_surface_destroy(cairo_surface *surface);
cairo_context *cairo_create(cairo_surface *surface);
void cairo_destroy(cairo_context *context);

// dlsym also searches librsvg's dependencies: GLib and Cairo.
#define FUNCTIONS(f) \
    f(rsvg_handle_new_from_data) f(rsvg_handle_set_dpi) f(rsvg_handle_render_document) \
    f(g_object_unref) f(g_error_free) \
    f(cairo_image_surface_create_for_data) f(cairo_surface_status) f(cairo_surface_flush) \
    f(cairo_surface_destroy) f(cairo_create) f(cairo_destroy)

HALFTONE_DECLARE(FUNCTIONS)

// Converts Cairo's pixels, premultiplied ARGB words, to RGBA bytes with straight alpha.
static void unpack(uint8_t *pixels, size_t count) {
    for (size_t i = 0; i < count; i++, pixels += 4) {
        uint32_t word;
        memcpy(&word, pixels, 4);
        unsigned alpha = word >> 24;
        for (int c = 0; c < 3; c++) {
            unsigned color = word >> (16 - c * 8) & 255;
            pixels[c] = (uint8_t)(alpha == 0 ? 0 : (color * 255 + alpha / 2) / alpha);
        }
        pixels[3] = (uint8_t)alpha;
    }
}

static halftone_status render(RsvgHandle *handle, halftone_job *job, GError **error) {
    halftone_picture *picture = job->picture;
    halftone_status status = halftone_make_scaled(job);
    if (status != HALFTONE_DECODED) return status;
    functions.rsvg_handle_set_dpi(handle, 96);
    cairo_surface *surface = functions.cairo_image_surface_create_for_data(
        picture->rgba, CAIRO_FORMAT_ARGB32, picture->width, picture->height, picture->width * 4);
    status = HALFTONE_BROKEN;
    if (functions.cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS) {
        cairo_context *context = functions.cairo_create(surface);
        RsvgRectangle all = {0, 0, picture->width, picture->height};
        if (functions.rsvg_handle_render_document(handle, context, &all, error)) status = HALFTONE_DECODED;
        functions.cairo_destroy(context);
        functions.cairo_surface_flush(surface);
    }
    functions.cairo_surface_destroy(surface);
    unpack(picture->rgba, (size_t)picture->width * (size_t)picture->height);
    picture->may_be_clear = true;
    picture->rows = picture->height;
    return status;
}

static halftone_status decode(halftone_job *job) {
    halftone_picture *picture = job->picture;
    halftone_status status =
        halftone_check_size(job, picture->source_width, picture->source_height, true);
    if (status != HALFTONE_DECODED) return status;
    GError *error = NULL;
    // Created from bytes only, without a base address: librsvg then opens no other files.
    RsvgHandle *handle = functions.rsvg_handle_new_from_data(job->bytes, job->count, &error);
    status = !handle ? HALFTONE_BROKEN
        : halftone_deadline_passed_now(&job->deadline) ? HALFTONE_TOO_SLOW
        : render(handle, job, &error);
    if (status == HALFTONE_BROKEN)
        halftone_broken(picture, error ? error->message : "it cannot be drawn");
    if (error) functions.g_error_free(error);
    if (handle) functions.g_object_unref(handle);
    return status;
}

const halftone_codec halftone_svg = {
    .decode = decode, .library = HALFTONE_LIBRSVG, .functions = places};

#include "decoding.h"
#include <fcntl.h>
#include <math.h>

// SVG and PDF, which librsvg and poppler draw with Cairo. Built without their headers: these need those of GLib, Cairo and others, fifty
// packages. The functions used have had a stable ABI for years (librsvg 2.46, 2019; poppler 21.12, 2021), and are declared here.
typedef struct RsvgHandle RsvgHandle;
typedef struct PopplerDocument PopplerDocument;
typedef struct PopplerPage PopplerPage;
typedef struct cairo_surface cairo_surface;
typedef struct cairo_context cairo_context;
typedef struct { double x, y, width, height; } RsvgRectangle;
typedef struct { uint32_t domain; int code; char *message; } GError;

enum { CAIRO_FORMAT_ARGB32 = 0, POPPLER_ERROR_ENCRYPTED = 1 };

RsvgHandle *rsvg_handle_new_from_data(const uint8_t *bytes, size_t count, GError **error);
void rsvg_handle_set_dpi(RsvgHandle *handle, double dpi);
int rsvg_handle_render_document(
    RsvgHandle *handle, cairo_context *context, const RsvgRectangle *viewport, GError **error);
PopplerDocument *poppler_document_new_from_data(
    const uint8_t *bytes, int count, const char *password, GError **error);
PopplerDocument *poppler_document_new_from_fd(int file, const char *password, GError **error);
int poppler_document_get_n_pages(PopplerDocument *document);
PopplerPage *poppler_document_get_page(PopplerDocument *document, int index);
void poppler_page_get_size(PopplerPage *page, double *width, double *height);
void poppler_page_render(PopplerPage *page, cairo_context *context);
void g_object_unref(void *object);
void g_error_free(GError *error);
cairo_surface *cairo_image_surface_create_for_data(
    uint8_t *bytes, int format, int width, int height, int stride);
void cairo_surface_destroy(cairo_surface *surface);
cairo_context *cairo_create(cairo_surface *surface);
void cairo_scale(cairo_context *context, double x, double y);
void cairo_destroy(cairo_context *context);

// dlsym also searches a library's dependencies: GLib and Cairo.
#define CAIRO(f) \
    f(g_object_unref) f(g_error_free) \
    f(cairo_image_surface_create_for_data) f(cairo_surface_destroy) f(cairo_create) f(cairo_scale) \
    f(cairo_destroy)
#define RSVG(f) f(rsvg_handle_new_from_data) f(rsvg_handle_set_dpi) f(rsvg_handle_render_document)
#define POPPLER(f) \
    f(poppler_document_new_from_data) f(poppler_document_new_from_fd) f(poppler_document_get_n_pages) \
    f(poppler_document_get_page) f(poppler_page_get_size) f(poppler_page_render)

static struct { CAIRO(HALFTONE_FIELD) RSVG(HALFTONE_FIELD) POPPLER(HALFTONE_FIELD) } functions;
static const halftone_function rsvg_places[] = {CAIRO(HALFTONE_FIND) RSVG(HALFTONE_FIND) {0}};
static const halftone_function poppler_places[] = {CAIRO(HALFTONE_FIND) POPPLER(HALFTONE_FIND) {0}};

// Converts Cairo's pixels, premultiplied BGRA bytes, to RGBA with straight alpha.
static void unpack(uint8_t *pixels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint8_t *pixel = pixels + i * 4, blue = pixel[0];
        pixel[0] = pixel[2];
        pixel[2] = blue;
    }
    halftone_unpremultiply(pixels, count);
}

// Draws a document of librsvg's, or else a page, at the target size.
static halftone_status draw(halftone_job *job, RsvgHandle *handle, PopplerPage *page, GError **error) {
    halftone_picture *picture = job->picture;
    if (halftone_deadline_passed_now(&job->deadline)) return HALFTONE_TOO_SLOW;
    halftone_status status = halftone_make_scaled(job);
    if (status) return status;
    size_t count = (size_t)picture->width * (size_t)picture->height;
    // A page has no ground of its own: it is white.
    if (page) memset(picture->rgba, 255, count * 4);
    cairo_surface *surface = functions.cairo_image_surface_create_for_data(
        picture->rgba, CAIRO_FORMAT_ARGB32, picture->width, picture->height, picture->width * 4);
    // Neither can fail: if memory is short, they draw nothing.
    cairo_context *context = functions.cairo_create(surface);
    if (handle) {
        functions.rsvg_handle_set_dpi(handle, 96);
        RsvgRectangle all = {0, 0, picture->width, picture->height};
        if (!functions.rsvg_handle_render_document(handle, context, &all, error)) status = HALFTONE_BROKEN;
    } else {
        double width, height;
        functions.poppler_page_get_size(page, &width, &height);
        functions.cairo_scale(context, picture->width / width, picture->height / height);
        functions.poppler_page_render(page, context);
    }
    functions.cairo_destroy(context);
    functions.cairo_surface_destroy(surface);
    unpack(picture->rgba, count);
    picture->may_be_clear = handle;
    return status;
}

// Notes why a file is broken, and releases what has been read, which is NULL if nothing could be.
static halftone_status finish(halftone_job *job, void *document, GError *error, halftone_status status) {
    if (status == HALFTONE_BROKEN) halftone_broken(job->picture, error ? error->message : "it cannot be drawn");
    if (error) functions.g_error_free(error);
    if (document) functions.g_object_unref(document);
    return status;
}

static halftone_status decode_svg(halftone_job *job) {
    halftone_picture *picture = job->picture;
    halftone_status status =
        halftone_check_size(job, picture->source_width, picture->source_height, true);
    if (status) return status;
    GError *error = NULL;
    // Created from bytes only, without a base address: librsvg then opens no other file and no address, but `data:`.
    RsvgHandle *handle = functions.rsvg_handle_new_from_data(job->bytes, job->count, &error);
    status = handle ? draw(job, handle, NULL, &error) : HALFTONE_BROKEN;
    return finish(job, handle, error, status);
}

// Printers' resolution, and the longer sides between which it is kept: no coarser than a large screen, and within 40 megapixels.
static const double dots_per_point = 300.0 / 72, shortest = 2048, longest = 6000;

static halftone_status draw_page(halftone_job *job, PopplerPage *page) {
    double width = 0, height = 0;
    if (page) functions.poppler_page_get_size(page, &width, &height);
    double longer = fmax(width, height), scale = fmin(fmax(longer * dots_per_point, shortest), longest) / longer;
    // A number that is none compares as false.
    halftone_status status = !(width > 0 && height > 0 && longer < 1e9)
        ? halftone_broken(job->picture, "it has no such page")
        : halftone_check_size(job, (int64_t)round(width * scale), (int64_t)round(height * scale), true);
    if (!status) status = draw(job, NULL, page, NULL);
    if (page) functions.g_object_unref(page);
    return status;
}

static halftone_status decode_pdf(halftone_job *job) {
    halftone_picture *picture = job->picture;
    int page = job->target.page;
    GError *error = NULL;
    // A descriptor is closed along with the document.
    PopplerDocument *document = job->file >= 0
        ? functions.poppler_document_new_from_fd(fcntl(job->file, F_DUPFD_CLOEXEC, 0), NULL, &error)
        : job->count > INT32_MAX ? NULL
        : functions.poppler_document_new_from_data(job->bytes, (int)job->count, NULL, &error);
    halftone_status status = HALFTONE_BROKEN;
    if (error && error->code == POPPLER_ERROR_ENCRYPTED) {
        halftone_broken(picture, "it needs a password");
    } else if (document && page > 0) {
        status = draw_page(job, functions.poppler_document_get_page(document, page - 1));
    } else if (document) {
        picture->frames = functions.poppler_document_get_n_pages(document);
        picture->source_width = picture->source_height = 1;
        status = halftone_make_scaled(job);
    }
    return finish(job, document, error, status);
}

const halftone_codec halftone_svg = {
    .decode = decode_svg, .library = HALFTONE_LIBRSVG, .functions = rsvg_places};
const halftone_codec halftone_pdf = {
    .decode = decode_pdf, .library = HALFTONE_LIBPOPPLER, .functions = poppler_places};

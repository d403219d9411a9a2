#include "decoding.h"
#include <lcms2.h>
#include <lcms2_plugin.h>

// Memory limit for lcms: the tables of a 4 MB printer profile, twice, and their common grid. A profile that needs more is hostile.
static const size_t max_memory = 48 << 20;
// Pixels between deadline checks; every 16th check reads the clock, about once in 0.1 ms.
static const size_t stretch = 64;

// The remaining budget of lcms. Every allocation is charged to it, so that a profile that expands its few bytes is stopped by memory or, as
// building tables allocates too, by time.
typedef struct {
    size_t left;
    halftone_deadline deadline;
} budget;

// Precedes each block; as large as the strictest alignment.
typedef union {
    size_t size;
    max_align_t alignment;
} block_header;

static void *take(cmsContext context, cmsUInt32Number size) {
    // The context itself is allocated before it has user data.
    budget *budget = context ? cmsGetContextUserData(context) : NULL;
    size_t needed = size + sizeof(block_header);
    if (budget && (needed > budget->left || halftone_deadline_passed_now(&budget->deadline)))
        return NULL;
    block_header *block = malloc(needed);
    if (!block) return NULL;
    block->size = size;
    if (budget) budget->left -= needed;
    return block + 1;
}

static void give_back(cmsContext context, void *bytes) {
    if (!bytes) return;
    block_header *block = (block_header *)bytes - 1;
    budget *budget = context ? cmsGetContextUserData(context) : NULL;
    if (budget) budget->left += block->size + sizeof *block;
    free(block);
}

static void *take_more(cmsContext context, void *bytes, cmsUInt32Number size) {
    void *grown = take(context, size);
    if (!grown || !bytes) return grown;
    size_t before = ((block_header *)bytes - 1)->size;
    memcpy(grown, bytes, before < size ? before : size);
    give_back(context, bytes);
    return grown;
}

// Builds the profile described by a PNG's gAMA and cHRM, or by video codes; defaults to sRGB's primaries and curve (IEC 61966-2-1).
static cmsHPROFILE described_profile(cmsContext context, const halftone_colors *colors) {
    cmsCIExyY white = {0.3127, 0.3290, 1};
    cmsCIExyYTRIPLE primaries = {{0.64, 0.33, 1}, {0.30, 0.60, 1}, {0.15, 0.06, 1}};
    const double *c = colors->chromaticities;
    if (colors->has_chromaticities) {
        white = (cmsCIExyY){c[0], c[1], 1};
        primaries = (cmsCIExyYTRIPLE){{c[2], c[3], 1}, {c[4], c[5], 1}, {c[6], c[7], 1}};
    }
    // sRGB's curve is a power function with a linear segment near black.
    const cmsFloat64Number srgb[] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
    cmsToneCurve *curve = colors->gamma > 0 ? cmsBuildGamma(context, colors->gamma)
        : cmsBuildParametricToneCurve(context, 4, srgb);
    if (!curve) return NULL;
    cmsToneCurve *curves[] = {curve, curve, curve};
    cmsHPROFILE profile = cmsCreateRGBProfileTHR(context, &white, &primaries, curves);
    cmsFreeToneCurve(curve);
    return profile;
}

// The lcms layout of the 4-byte pixels for a profile; 0 if the profile is for another kind.
static cmsUInt32Number layout(cmsHPROFILE profile, const halftone_colors *colors) {
    bool inks = colors->model == HALFTONE_INKS;
    switch (cmsGetColorSpace(profile)) {
    case cmsSigRgbData: return inks ? 0 : TYPE_RGBA_8;
    case cmsSigGrayData:
        if (colors->model != HALFTONE_GRAY) return 0;
        return COLORSPACE_SH(PT_GRAY) | EXTRA_SH(3) | CHANNELS_SH(1) | BYTES_SH(1);
    case cmsSigCmykData: return !inks ? 0 : colors->inverted ? TYPE_CMYK_8_REV : TYPE_CMYK_8;
    default: return 0;
    }
}

// Perceptual, as in browsers; for profiles without tables all intents are the same.
static cmsHTRANSFORM make_transform(
    cmsContext context, const halftone_colors *colors, size_t count) {
    cmsHPROFILE source = !colors->profile ? described_profile(context, colors)
        : cmsOpenProfileFromMemTHR(
            context, colors->profile, (cmsUInt32Number)colors->profile_count);
    cmsHPROFILE target = source ? cmsCreate_sRGBProfileTHR(context) : NULL;
    cmsUInt32Number form = source ? layout(source, colors) : 0;
    // From these counts on building tables pays off, as measured: 1.5 ms for 12 instead of 150 ns a pixel; for inks 23 ms for 40 instead of
    // 250 ns.
    bool is_worth_tables = count > (colors->model == HALFTONE_INKS ? 100000 : 11000);
    cmsUInt32Number flags = is_worth_tables ? 0 : cmsFLAGS_NOOPTIMIZE;
    cmsHTRANSFORM transform = NULL;
    if (target && form)
        transform = cmsCreateTransformTHR(
            context, source, form, target, TYPE_RGBA_8, INTENT_PERCEPTUAL, flags);
    if (target) cmsCloseProfile(target);
    if (source) cmsCloseProfile(source);
    return transform;
}

bool halftone_convert(
    const halftone_colors *colors, uint8_t *pixels, size_t count, const halftone_limits *limits) {
    budget budget = {.left = max_memory, .deadline = halftone_deadline_for(limits)};
    cmsPluginMemHandler plugin = {
        .base = {
            .Magic = cmsPluginMagicNumber,
            .ExpectedVersion = 2000,
            .Type = cmsPluginMemHandlerSig},
        .MallocPtr = take,
        .FreePtr = give_back,
        .ReallocPtr = take_more,
    };
    cmsContext context = cmsCreateContext(&plugin, &budget);
    if (!context) return false;
    cmsHTRANSFORM transform = make_transform(context, colors, count);
    while (transform && count > 0 && !halftone_deadline_passed(&budget.deadline)) {
        size_t part = count < stretch ? count : stretch;
        // In place, as both layouts have 4 bytes; extra channels are left unchanged.
        cmsDoTransform(transform, pixels, pixels, (cmsUInt32Number)part);
        for (size_t i = 0; colors->model == HALFTONE_INKS && i < part; i++) pixels[i * 4 + 3] = 255;
        pixels += part * 4;
        count -= part;
    }
    if (transform) cmsDeleteTransform(transform);
    cmsDeleteContext(context);
    return transform != NULL;
}

void halftone_plain_inks(const halftone_colors *colors, uint8_t *pixels, size_t count) {
    unsigned invert = colors->inverted ? 0 : 255;
    for (size_t i = 0; i < count; i++, pixels += 4) {
        unsigned black = pixels[3] ^ invert;
        for (int c = 0; c < 3; c++) pixels[c] = (uint8_t)((pixels[c] ^ invert) * black / 255);
        pixels[3] = 255;
    }
}

#include "decoding.h"
#include <lcms2.h>
#include <lcms2_plugin.h>
#include <math.h>

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

// A context that keeps to the limits until it is deleted.
static cmsContext make_context(budget *budget, const halftone_limits *limits) {
    budget->left = max_memory;
    budget->deadline = halftone_deadline_for(limits);
    cmsPluginMemHandler plugin = {
        .base = {
            .Magic = cmsPluginMagicNumber,
            .ExpectedVersion = 2000,
            .Type = cmsPluginMemHandlerSig},
        .MallocPtr = take,
        .FreePtr = give_back,
        .ReallocPtr = take_more,
    };
    return cmsCreateContext(&plugin, budget);
}

// sRGB's white, red, green and blue (IEC 61966-2-1).
static const double srgb_chromaticities[8] = {0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06};

// Builds the profile described by a PNG's gAMA and cHRM, or by video codes; defaults to sRGB's primaries and curve.
static cmsHPROFILE described_profile(cmsContext context, const halftone_colors *colors) {
    const double *c = colors->has_chromaticities ? colors->chromaticities : srgb_chromaticities;
    cmsCIExyY white = {c[0], c[1], 1};
    cmsCIExyYTRIPLE primaries = {{c[2], c[3], 1}, {c[4], c[5], 1}, {c[6], c[7], 1}};
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

// Opens the file's profile; NULL if it is broken or for other pixels, or may cost more than tables and curves, whose size bounds it.
static cmsHPROFILE stored_profile(cmsContext context, const halftone_colors *colors) {
    cmsHPROFILE profile =
        cmsOpenProfileFromMemTHR(context, colors->profile, (cmsUInt32Number)colors->profile_count);
    if (!profile) return NULL;
    cmsProfileClassSignature kind = cmsGetDeviceClass(profile);
    bool is_of_pixels = kind == cmsSigDisplayClass || kind == cmsSigInputClass
        || kind == cmsSigOutputClass || kind == cmsSigColorSpaceClass;
    // Multi-process elements are programs of any length; of such tags lcms would only run this one.
    if (is_of_pixels && layout(profile, colors) && !cmsIsTag(profile, cmsSigDToB0Tag)) return profile;
    cmsCloseProfile(profile);
    return NULL;
}

// Whether a profile is sRGB to within about one level: its primaries, adapted to D50 and rounded in one of several ways, and its curves, in
// light, to within a quarter of a level.
static bool is_srgb(cmsHPROFILE profile) {
    static const struct {
        cmsTagSignature column, curve;
        double primary[3];
    } channels[] = {
        {cmsSigRedColorantTag, cmsSigRedTRCTag, {0.4361, 0.2225, 0.0139}},
        {cmsSigGreenColorantTag, cmsSigGreenTRCTag, {0.3851, 0.7169, 0.0971}},
        {cmsSigBlueColorantTag, cmsSigBlueTRCTag, {0.1431, 0.0606, 0.7141}}};
    if (cmsGetColorSpace(profile) != cmsSigRgbData || cmsIsTag(profile, cmsSigAToB0Tag)) return false;
    const uint16_t *light = halftone_light_tables()->of_code;
    for (int c = 0; c < 3; c++) {
        // A cmsCIEXYZ.
        const double *column = cmsReadTag(profile, channels[c].column);
        for (int i = 0; i < 3; i++)
            if (!column || fabs(column[i] - channels[c].primary[i]) >= 0.002) return false;
        const cmsToneCurve *curve = cmsReadTag(profile, channels[c].curve);
        for (int code = 16; code < 256; code += 16) {
            int slack = (light[code] - light[code - 1]) / 4 + 1;
            if (!curve || abs(cmsEvalToneCurve16(curve, (uint16_t)(code * 257)) - light[code]) > slack)
                return false;
        }
    }
    return true;
}

bool halftone_needs_conversion(const halftone_colors *colors, const halftone_limits *limits) {
    if (!colors->profile) {
        // Nearly every PNG with gAMA has 1/2.2 and means sRGB, whose curve that approximates (PNG, third edition, 11.3.2.4).
        bool is_near = colors->gamma == 0 || fabs(colors->gamma - 2.2) < 0.01;
        for (int i = 0; colors->has_chromaticities && i < 8; i++)
            is_near = is_near && fabs(colors->chromaticities[i] - srgb_chromaticities[i]) < 0.002;
        return !is_near;
    }
    budget budget;
    cmsContext context = make_context(&budget, limits);
    cmsHPROFILE profile = context ? stored_profile(context, colors) : NULL;
    bool needs_conversion = profile && !is_srgb(profile);
    if (profile) cmsCloseProfile(profile);
    if (context) cmsDeleteContext(context);
    return needs_conversion;
}

// Perceptual, as in browsers; for profiles without tables all intents are the same.
static cmsHTRANSFORM make_transform(
    cmsContext context, const halftone_colors *colors, size_t count) {
    cmsHPROFILE source =
        colors->profile ? stored_profile(context, colors) : described_profile(context, colors);
    cmsHPROFILE target = source ? cmsCreate_sRGBProfileTHR(context) : NULL;
    // From these counts on building tables pays off, as measured: 1.5 ms for 12 instead of 150 ns a pixel; for inks 23 ms for 40 instead of
    // 250 ns.
    bool is_worth_tables = count > (colors->model == HALFTONE_INKS ? 100000 : 11000);
    cmsUInt32Number flags = is_worth_tables ? 0 : cmsFLAGS_NOOPTIMIZE;
    cmsHTRANSFORM transform = target
        ? cmsCreateTransformTHR(
            context, source, layout(source, colors), target, TYPE_RGBA_8, INTENT_PERCEPTUAL, flags)
        : NULL;
    if (target) cmsCloseProfile(target);
    if (source) cmsCloseProfile(source);
    return transform;
}

bool halftone_convert(
    const halftone_colors *colors, uint8_t *pixels, size_t count, const halftone_limits *limits) {
    budget budget;
    cmsContext context = make_context(&budget, limits);
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

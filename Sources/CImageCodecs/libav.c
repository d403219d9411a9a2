#include "tone_map.h"

#if __has_include(<libavformat/avformat.h>) && __has_include(<libswscale/swscale.h>)
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libswscale/swscale.h>
#include <math.h>
#include <unistd.h>

// Files with one still picture that libavcodec reads, and containers, whose library is libavformat: a frame of a video, or the largest icon.

#if LIBAVFORMAT_VERSION_MAJOR < 60  // later ones always do
#define INJECT(f) f(av_format_inject_global_side_data)
#else
#define INJECT(f)
#endif

#define FUNCTIONS(f) \
    INJECT(f) \
    f(av_dict_free) f(av_dict_set) f(av_display_rotation_get) f(av_frame_alloc) f(av_frame_free) f(av_frame_get_side_data) \
    f(av_free) f(av_guess_sample_aspect_ratio) f(av_log_set_level) f(av_malloc) f(av_new_packet) \
    f(av_packet_alloc) f(av_packet_free) f(av_packet_unref) f(av_read_frame) f(av_seek_frame) \
    f(avcodec_alloc_context3) f(avcodec_find_decoder) f(avcodec_flush_buffers) f(avcodec_free_context) \
    f(avcodec_open2) f(avcodec_parameters_to_context) f(avcodec_receive_frame) f(avcodec_send_packet) \
    f(avformat_alloc_context) f(avformat_close_input) f(avformat_find_stream_info) f(avformat_open_input) \
    f(avio_alloc_context) f(avio_context_free)

HALFTONE_DECLARE(FUNCTIONS)

#define SCALING(f) f(sws_freeContext) f(sws_getCoefficients) f(sws_getContext) f(sws_scale) f(sws_setColorspaceDetails)
#define FIND_SCALING(name) {#name, &scaling.name},
static struct { SCALING(HALFTONE_FIELD) } scaling;
static const halftone_function scaling_places[] = {SCALING(FIND_SCALING) {0}};

static bool start(void) {
    functions.av_log_set_level(AV_LOG_QUIET);
    return halftone_load(HALFTONE_LIBSWSCALE, scaling_places);
}

// None that refers to other files, such as playlists.
static const char demuxers[] = "mov,matroska,avi,mpegts,mpeg,flv,ogg,ico";
// Bytes read at once.
static const int portion = 32 << 10;

typedef struct {
    halftone_job *job;
    AVIOContext *io;
    AVFormatContext *container;  // NULL for a still picture
    AVStream *stream;
    AVCodecContext *decoder;
    AVPacket *packet;
    AVFrame *frame;
} av_work;

// Fails once time is up, which ends every loop in a demuxer.
static int read_bytes(void *opaque, uint8_t *target, int count) {
    halftone_job *job = opaque;
    if (halftone_deadline_passed(&job->deadline)) return AVERROR_EXIT;
    if (job->file < 0) {
        size_t taken = halftone_take(job, target, (size_t)count);
        return taken > 0 ? (int)taken : AVERROR_EOF;
    }
    ssize_t got = pread(job->file, target, (size_t)count, (off_t)job->position);
    if (got <= 0) return AVERROR_EOF;
    job->position += (size_t)got;
    return (int)got;
}

static int64_t seek(void *opaque, int64_t offset, int whence) {
    halftone_job *job = opaque;
    int64_t count = (int64_t)job->count;
    if (whence & AVSEEK_SIZE) return count;
    // libavformat turns the other ways of seeking into this one.
    if (whence != SEEK_SET || offset < 0 || offset > count) return AVERROR(EINVAL);
    job->position = (size_t)offset;
    return offset;
}

static AVStream *largest_stream(const AVFormatContext *container) {
    AVStream *largest = NULL;
    int64_t most = 0;
    for (unsigned i = 0; i < container->nb_streams; i++) {
        AVStream *stream = container->streams[i];
        // Covers of films and sound are not what they show.
        int64_t pixels = stream->disposition & AV_DISPOSITION_ATTACHED_PIC
            ? 0 : (int64_t)stream->codecpar->width * stream->codecpar->height;
        if (pixels <= most) continue;
        most = pixels;
        largest = stream;
    }
    return largest;
}

// In microseconds; 0 if unknown. Newer libavformat knows a container's own only once it has decoded from each stream.
static int64_t duration(const AVFormatContext *container, const AVStream *stream) {
    if (container->duration > 0) return container->duration;
    double seconds = stream ? (double)stream->duration * av_q2d(stream->time_base) : 0;
    return seconds > 0 ? (int64_t)(fmin(seconds, 1e9) * AV_TIME_BASE) : 0;
}

static halftone_status open_decoder(av_work *work, enum AVCodecID id, const AVCodecParameters *form) {
    halftone_picture *picture = work->job->picture;
    // NULL if it is not known, which cannot be opened.
    const AVCodec *codec = functions.avcodec_find_decoder(id);
    AVCodecContext *decoder = work->decoder = functions.avcodec_alloc_context3(codec);
    work->packet = functions.av_packet_alloc();
    work->frame = functions.av_frame_alloc();
    if (!decoder || !work->packet || !work->frame) return halftone_broken(picture, "out of memory");
    int result = form ? functions.avcodec_parameters_to_context(decoder, form) : 0;
    // The workers already use all cores.
    decoder->thread_count = 1;
    decoder->max_pixels = work->job->limits->max_frame_pixels;
    // No frame waits for those after it.
    decoder->flags |= AV_CODEC_FLAG_LOW_DELAY;
    if (result >= 0) result = functions.avcodec_open2(decoder, codec, NULL);
    return result >= 0 ? HALFTONE_DECODED : halftone_broken(picture, "its codec cannot be opened");
}

static halftone_status open_container(av_work *work) {
    halftone_job *job = work->job;
    if (job->file >= 0) job->count = (size_t)lseek(job->file, 0, SEEK_END);
    uint8_t *buffer = functions.av_malloc((size_t)portion);
    AVFormatContext *container = functions.avformat_alloc_context();
    work->io = functions.avio_alloc_context(buffer, portion, 0, job, read_bytes, NULL, seek);
    work->container = container;
    if (!buffer || !work->io || !container) return halftone_broken(job->picture, "out of memory");
    container->pb = work->io;
    AVDictionary *options = NULL;
    functions.av_dict_set(&options, "format_whitelist", demuxers, 0);
    functions.av_dict_set(&options, "protocol_whitelist", "none", 0);
    // It frees the container if it fails.
    int result = functions.avformat_open_input(&work->container, NULL, NULL, &options);
    functions.av_dict_free(&options);
    if (result < 0) return halftone_broken(job->picture, "its container cannot be read");
    AVStream *stream = largest_stream(container);
    if (!stream || duration(container, stream) == 0) {
        // Streams without a header have to be decoded for it.
        functions.avformat_find_stream_info(container, NULL);
        stream = largest_stream(container);
    }
    if (!stream) return halftone_broken(job->picture, "it has no picture");
    work->stream = stream;
#if LIBAVFORMAT_VERSION_MAJOR < 60
    functions.av_format_inject_global_side_data(container);
#endif
    for (unsigned i = 0; i < container->nb_streams; i++)
        if (container->streams[i] != stream) container->streams[i]->discard = AVDISCARD_ALL;
    const AVCodecParameters *form = stream->codecpar;
    halftone_status status = halftone_check_size(job, form->width, form->height, true);
    return status ? status : open_decoder(work, form->codec_id, form);
}

// Whether the decoder has a frame after the packet, or after the last one if it is NULL.
static bool has_frame(av_work *work, const AVPacket *packet) {
    return !functions.avcodec_send_packet(work->decoder, packet)
        && !functions.avcodec_receive_frame(work->decoder, work->frame);
}

static bool find_frame(av_work *work) {
    AVPacket *packet = work->packet;
    bool is_found = false;
    while (!is_found && !halftone_deadline_passed_now(&work->job->deadline)
           && functions.av_read_frame(work->container, packet) >= 0) {
        is_found = packet->stream_index == work->stream->index && has_frame(work, packet);
        functions.av_packet_unref(packet);
    }
    return is_found || has_frame(work, NULL);
}

// Decodes the key frame before a tenth of the duration, or else the first frame.
static bool find_typical_frame(av_work *work) {
    AVFormatContext *container = work->container;
    int64_t length = duration(container, work->stream);
    // An unknown time is negative.
    int64_t start = container->start_time;
    if (start < 0 || start > INT64_MAX / 2) start = 0;
    work->job->picture->milliseconds = length / 1000;
    for (int tenths = 1; tenths >= 0; tenths--) {
        if (length > 0)
            functions.av_seek_frame(container, -1, start + length / 10 * tenths, AVSEEK_FLAG_BACKWARD);
        if (find_frame(work)) return true;
        functions.avcodec_flush_buffers(work->decoder);
    }
    return false;
}

static enum AVCodecID still_codec(const halftone_job *job) {
    uint32_t start = job->count < 4 ? 0 : halftone_big_endian(job->bytes, 4);
    if (start >> 16 == 0x424D) return AV_CODEC_ID_BMP;  // BM
    switch (start) {
    case 0x38425053: return AV_CODEC_ID_PSD;  // 8BPS
    case 0x716F6966: return AV_CODEC_ID_QOI;  // qoif
    case 0xFF4FFF51:
    case 12: return AV_CODEC_ID_JPEG2000;
    default: return start >> 24 == 'P' ? AV_CODEC_ID_PPM : AV_CODEC_ID_TARGA;
    }
}

// Where a bitmap's pixels end ([MS-WMF] 2.2.2), which is beyond the end of a truncated file; 0 if it is no bitmap. The caller has set its
// size.
static size_t end_of_bitmap(const halftone_job *job) {
    const uint8_t *bytes = job->bytes;
    if (job->count < 38 || memcmp(bytes, "BM", 2)) return 0;
    bool is_old = bytes[14] == 12, is_packed = !is_old && (bytes[30] == 1 || bytes[30] == 2);
    size_t bits = halftone_little_endian(bytes + (is_old ? 24 : 28), 2);
    size_t row = ((size_t)job->picture->source_width * bits + 31) / 32 * 4;
    size_t length = is_packed ? halftone_little_endian(bytes + 34, 4) : row * (size_t)job->picture->source_height;
    return halftone_little_endian(bytes + 10, 4) + length;
}

// Returns the frame in RGB at its size on a screen, or NULL.
static uint8_t *rgb(const av_work *work, int width, int height, bool is_deep) {
    const AVFrame *frame = work->frame;
    bool is_video = work->container, is_full = !is_video || frame->color_range == AVCOL_RANGE_JPEG;
    int row = width * (is_deep ? 8 : 4);
    // The last row may be written some pixels too far.
    uint8_t *pixels = calloc((size_t)row * (size_t)height + 512, 1);
    struct SwsContext *scaler = scaling.sws_getContext(
        frame->width, frame->height, frame->format, width, height,
        is_deep ? AV_PIX_FMT_RGBA64 : AV_PIX_FMT_RGBA, SWS_BICUBIC, NULL, NULL, NULL);
    if (!pixels || !scaler) {
        scaling.sws_freeContext(scaler);
        free(pixels);
        return NULL;
    }
    // Where the file does not say: high definition video has its own, as in players.
    bool is_high = is_video && (frame->width >= 1280 || frame->height > 576);
    int space = frame->colorspace != AVCOL_SPC_UNSPECIFIED ? (int)frame->colorspace
        : is_high ? SWS_CS_ITU709 : SWS_CS_ITU601;
    const int *matrix = scaling.sws_getCoefficients(space), neutral = 1 << 16;
    scaling.sws_setColorspaceDetails(scaler, matrix, is_full, matrix, 1, 0, neutral, neutral);
    scaling.sws_scale(
        scaler, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height, &pixels, &row);
    scaling.sws_freeContext(scaler);
    return pixels;
}

static halftone_status show(av_work *work) {
    halftone_job *job = work->job;
    halftone_picture *picture = job->picture;
    const AVFrame *frame = work->frame;
    double width = frame->width, height = frame->height;
    // Pixels that are not square only become larger.
    AVRational aspect =
        functions.av_guess_sample_aspect_ratio(work->container, work->stream, work->frame);
    double stretch = aspect.num > 0 && aspect.den > 0 ? av_q2d(aspect) : 1;
    if (stretch > 1) width *= stretch;
    else height /= stretch;
    halftone_status status = halftone_check_size(job, (int64_t)width, (int64_t)height, true);
    if (status) return status;
    const AVFrameSideData *matrix = functions.av_frame_get_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX);
    double angle = matrix ? functions.av_display_rotation_get((const int32_t *)(void *)matrix->data) : 0;
    if (!isnan(angle)) picture->quarters = -(int)lround(angle / 90);
    picture->may_be_clear = true;
    picture->partial = frame->decode_error_flags || frame->flags & AV_FRAME_FLAG_CORRUPT;
    halftone_tone_map *map = halftone_tone_map_make((int)frame->color_primaries, (int)frame->color_trc);
    uint8_t *pixels = rgb(work, (int)width, (int)height, map);
    status = pixels ? halftone_shrink_mapped(job, pixels, map)
        : halftone_broken(picture, "its pixels cannot be converted");
    free(pixels);
    free(map);
    return status;
}

// Shows the frame, if it was found, and frees everything.
static halftone_status finish(av_work *work, halftone_status status, bool is_found) {
    if (!status)
        status = is_found ? show(work) : halftone_broken(work->job->picture, "no frame can be decoded");
    if (status == HALFTONE_BROKEN && halftone_deadline_passed_now(&work->job->deadline))
        status = HALFTONE_TOO_SLOW;
    functions.avcodec_free_context(&work->decoder);
    functions.av_packet_free(&work->packet);
    functions.av_frame_free(&work->frame);
    functions.avformat_close_input(&work->container);
    if (work->io) functions.av_free(work->io->buffer);
    functions.avio_context_free(&work->io);
    return status;
}

static halftone_status decode_still(halftone_job *job) {
    av_work work = {.job = job};
    // A truncated bitmap, which libavcodec would refuse, is padded with zeros.
    size_t end = end_of_bitmap(job), most = job->count + (size_t)job->limits->max_frame_pixels * 4;
    size_t count = end < job->count ? job->count : end < most ? end : most;
    halftone_status status = open_decoder(&work, still_codec(job), NULL);
    bool is_found = false;
    // The decoders read beyond the end, where a packet of their own has zeros.
    if (!status && count < INT32_MAX / 2
        && !functions.av_new_packet(work.packet, (int)count)) {
        uint8_t *bytes = work.packet->data;
        memcpy(bytes, job->bytes, job->count);
        memset(bytes + job->count, 0, count - job->count);
        // A bitmap may lie about its length. A header of 52 bytes, which libavcodec does not know, is one of 40 and three masks.
        for (int i = 0; end && i < 4; i++) bytes[2 + i] = (uint8_t)(count >> i * 8);
        if (end && bytes[14] == 52) bytes[14] = 40;
        is_found = has_frame(&work, work.packet);
    }
    status = finish(&work, status, is_found);
    if (end > job->count) job->picture->partial = true;
    return status;
}

static halftone_status decode_container(halftone_job *job) {
    av_work work = {.job = job};
    halftone_status status = open_container(&work);
    return finish(&work, status, !status && find_typical_frame(&work));
}

const halftone_codec halftone_still = {
    .decode = decode_still, .library = HALFTONE_LIBAVFORMAT, .functions = places, .start = start};
const halftone_codec halftone_container = {
    .decode = decode_container, .library = HALFTONE_LIBAVFORMAT, .functions = places, .start = start};
#else
const halftone_codec halftone_still = {0}, halftone_container = {0};
#endif

import Basics
import CImageCodecs
import Glibc
import ImageEncoders
import Raster
import Testing

@testable import ImageCodecs

/// Files that FFmpeg encoded (Fixtures/videos.py): patches of known colours after one black frame.
@Suite(
    "Videos, and stills that the same library reads",
    .enabled(if: ImageFormat.video.isReadable, "needs libavformat and libswscale"))
struct VideoTests {
    private let decoder = ImageDecoder()
    private static let size = PixelSize(width: 64, height: 48)
    private static let patches = [[200, 60, 40], [40, 180, 70], [50, 70, 190], [220, 220, 220]]

    /// The colours in the middles of the quarters, row by row.
    private func colors(_ pixels: PixelBuffer) -> [[Int]] {
        [(1, 1), (3, 1), (1, 3), (3, 3)].map { x, y in
            pixels.pixel(pixels.size.width * x / 4, pixels.size.height * y / 4)[0..<3].map {
                Int($0)
            }
        }
    }

    private func expect(_ found: [[Int]], _ patches: [[Int]] = patches, within tolerance: Int = 4) {
        for (one, other) in zip(found.joined(), patches.joined()) {
            #expect(abs(one - other) <= tolerance, "\(found)")
        }
    }

    @Test(
        "the frame at a tenth of the duration has its colours, whatever the container, matrix and range",
        arguments: [
            "709.mp4", "601.mp4", "full.mp4", "late.mov", "vp9.webm", "vp8.webm", "mjpeg.avi",
            "mpeg2.m2ts", "flash.flv", "theora.ogv",
        ])
    func typical(name: String) throws {
        let file = try Fixture.read("video-" + name)
        #expect(ImageFormat(sniffing: file) == .video)
        let image = try decoder.decode(FileBytes(file), covering: nil)
        #expect(image.sourceSize == Self.size && image.format == .video && !image.isPartial)
        #expect(abs(image.milliseconds - 2000) <= 200 && image.pixels.isOpaque)
        expect(colors(image.pixels))
        let half = try decoder.decode(
            FileBytes(file), covering: PixelSize(width: 32, height: 24))
        #expect(half.pixels.size == PixelSize(width: 32, height: 24))
        expect(colors(half.pixels))
    }

    @Test("a program stream, and one whose only key frame is the first, show the frame before")
    func keyFrames() throws {
        for name in ["video-mpeg2.mpg", "video-bframes.mkv"] {
            let image = try decoder.decode(FileBytes(try Fixture.read(name)), covering: nil)
            expect(colors(image.pixels), Array(repeating: [0, 0, 0], count: 4))
        }
    }

    @Test("the display matrix turns the frame, and pixels that are not square are stretched")
    func shape() throws {
        let turned = try decoder.decode(
            FileBytes(try Fixture.read("video-turned.mp4")), covering: nil)
        #expect(turned.sourceSize == PixelSize(width: 48, height: 64))
        #expect(turned.pixels.size == turned.sourceSize)
        // Anticlockwise: what was on the right is above.
        expect(colors(turned.pixels), [1, 3, 0, 2].map { Self.patches[$0] })
        let wide = try decoder.decode(FileBytes(try Fixture.read("video-wide.mkv")), covering: nil)
        #expect(wide.sourceSize == PixelSize(width: 128, height: 48))
        expect(colors(wide.pixels))
    }

    @Test("high definition without named colours is taken for BT.709")
    func unnamed() throws {
        let image = try decoder.decode(FileBytes(try Fixture.read("video-hd.mp4")), covering: nil)
        expect(colors(image.pixels), Array(repeating: [40, 180, 70], count: 4))
    }

    @Test("a file is read in place, from its beginning and its descriptor")
    func inPlace() throws {
        let bytes = try Fixture.read("video-late.mov")
        let file = try #require(OpenFile(temporaryIn: temporaryFolder))
        #expect(writeAll(bytes, to: file.descriptor) == 0)
        let head = FileBytes(Array(bytes.prefix(64)), of: file.descriptor)
        let whole = try decoder.decode(FileBytes(bytes), covering: nil)
        #expect(try decoder.decode(head, covering: nil).pixels == whole.pixels)
        // Its index is at its end.
        #expect(throws: DecodeError.self) {
            try decoder.decode(FileBytes(Array(bytes.prefix(64))), covering: nil)
        }
    }

    @Test(
        "a file that ends early shows what it has; without its index, or without video, it is broken"
    )
    func cut() throws {
        let file = try Fixture.read("video-709.mp4")
        let image = try decoder.decode(
            FileBytes(Array(file.prefix(file.count * 3 / 4))), covering: nil)
        expect(colors(image.pixels))
        for bytes in [
            Array(file.prefix(200)), try Fixture.read("video-late.mov").dropLast(900),
            try Fixture.read("video-none.mp4"),
        ] {
            let error = #expect(throws: DecodeError.self) {
                try decoder.decode(FileBytes(Array(bytes)), covering: nil)
            }
            #expect(error?.description.hasPrefix("broken Video: ") == true)
        }
    }

    @Test("a size beyond the limit is refused before anything is allocated")
    func huge() throws {
        var file = try Fixture.read("video-709.mp4")
        let entry = try #require(file.firstRange(of: "avc1\0".utf8)).lowerBound
        file.replaceSubrange(entry + 28..<entry + 32, with: [0xFF, 0xFF, 0xFF, 0xFF])
        let error = #expect(throws: DecodeError.self) {
            try decoder.decode(FileBytes(file), covering: nil)
        }
        #expect(
            error
                == .tooLarge(
                    PixelSize(width: 65_535, height: 65_535),
                    maxPixels: decoder.limits.maxPixels))
        var strict = decoder
        strict.limits.maxFramePixels = 64 * 48 - 1
        #expect(throws: DecodeError.self) {
            try strict.decode(FileBytes(try Fixture.read("video-709.mp4")), covering: nil)
        }
        #expect(throws: DecodeError.self) {
            try strict.decode(FileBytes(try Fixture.read("video-vp9.webm")), covering: nil)
        }
    }

    @Test(
        "playlists and lists of files are refused, even under the name of a video",
        arguments: [
            "#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:1,\n/etc/passwd\n#EXT-X-ENDLIST\n",
            "ffconcat version 1.0\nfile /etc/passwd\n",
            "<?xml version='1.0'?><MPD xmlns='urn:mpeg:dash:schema:mpd:2011'><Period/></MPD>",
        ])
    func playlists(text: String) {
        var picture = CPicture(DecodeLimits())
        let error = #expect(throws: DecodeError.self) {
            try picture.decode(.video, FileBytes(Array(text.utf8)), covering: nil, nil)
        }
        #expect(error?.description.hasPrefix("broken Video: ") == true)
    }

    @Test("a decode ends when its time is up or it is cancelled")
    func endless() throws {
        let file = FileBytes(try Fixture.read("video-709.mp4"))
        let cancellation = DecodeCancellation()
        cancellation.cancel()
        let error = #expect(throws: DecodeError.self) {
            try decoder.decode(file, covering: nil, cancellation: cancellation)
        }
        #expect(error == .cancelled)
    }

    private static let plain = ["ppm", "tga", "psd", "qoi", "jp2"].map { "still-plain." + $0 }
    private static let alpha = ["pam", "tga", "psd", "qoi", "ico"].map { "still-alpha." + $0 }

    @Test(
        "stills match their drawing",
        arguments: plain + alpha + ["still-deep.ppm", "still-plain.j2k"])
    func stills(name: String) throws {
        let file = try Fixture.read(name)
        let size = PixelSize(width: 32, height: 24)
        let image = try decoder.decode(FileBytes(file), covering: nil)
        #expect(image.sourceSize == size && !image.isPartial && image.milliseconds == 0)
        let reference = try Fixture(
            name: name.hasPrefix("still-alpha") ? "jxl-alpha.jxl" : "jxl-lossless.jxl"
        ).reference(size)
        let difference = image.pixels.greatestVisibleDifference(from: reference) ?? 255
        #expect(difference <= (name == "still-plain.j2k" ? 12 : 0))
        #expect(ImageFormat(sniffing: file) == image.format)
    }

    @Test("grey and bilevel pixmaps are full range")
    func grey() throws {
        let bits = try decoder.decode(FileBytes(try Fixture.read("still-bits.pbm")), covering: nil)
        #expect(Set(bits.pixels.bytes) == [0, 255])
        let file = try Fixture.read("still-gray.pgm")
        let grey = try decoder.decode(FileBytes(file), covering: nil).pixels
        #expect(grey.pixel(5, 3)[0] == file[file.count - 32 * 24 + 3 * 32 + 5])
    }

    @Test(
        "corrupted files never crash",
        arguments: [
            "video-709.mp4", "video-vp9.webm", "video-mjpeg.avi", "video-theora.ogv",
            "still-plain.tga", "still-alpha.psd", "still-plain.jp2", "still-alpha.ico",
            "still-plain.qoi", "still-alpha.pam",
        ])
    func mutations(name: String) throws {
        let file = try Fixture.read(name)
        var limits = DecodeLimits()
        limits.maxPixels = 1_000_000
        limits.maxFramePixels = 1_000_000
        let decoder = ImageDecoder(limits: limits)
        var random = SeededGenerator(seed: UInt64(name.utf8.count))
        for _ in 0..<100 {
            do throws(DecodeError) {
                let image = try decoder.decode(
                    FileBytes(mutated(file, &random)), covering: PixelSize(width: 5, height: 5))
                #expect(image.pixels.size.width <= image.sourceSize.width)
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
    }

    @Test("a missing library is named by its package")
    func package() {
        #expect(ImageFormat.video.package?.hasPrefix("libavformat") == true)
        if ImageFormat.svg.isReadable { #expect(ImageFormat.svg.package == "librsvg-2-2") }
        #expect(ImageFormat.png.package == nil)
        #expect(
            DecodeError.unknownFormat("Video").description
                == "is in the format Video, which cannot be read without "
                + (ImageFormat.video.package ?? ""))
    }

    @Test("servers are not asked for them")
    func mediaTypes() {
        #expect(!ImageFormat.readableMediaTypes.contains(ImageFormat.video.mediaType))
        #expect(!ImageFormat.readableMediaTypes.contains("image/jp2"))
    }
}

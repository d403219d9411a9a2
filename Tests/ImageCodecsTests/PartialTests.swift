import ImageCodecs
import ImageEncoders
import Raster
import Testing

@Suite("Truncated files give a partial picture")
struct PartialTests {
    private let decoder = ImageDecoder()
    private let scene = TestPictures.scene(width: 160, height: 160)

    private func files() throws -> [(name: String, bytes: [UInt8])] {
        [
            ("JPEG", try ImageEncoder.jpeg(scene)),
            ("progressive", try ImageEncoder.jpeg(scene, .init(isProgressive: true))),
            ("PNG", try ImageEncoder.png(scene)),
            ("interlaced PNG", try ImageEncoder.png(scene, .init(isInterlaced: true))),
            ("WebP", try ImageEncoder.webp(scene)),
            ("lossless WebP", try ImageEncoder.webp(scene, .init(isLossless: true))),
            ("animated WebP", try ImageEncoder.webp(animating: [scene])),
            ("GIF", try ImageEncoder.gif(scene)),
            ("interlaced GIF", try ImageEncoder.gif(scene, .init(isInterlaced: true))),
        ]
    }

    @Test("half of a file gives the top of the picture correctly")
    func half() throws {
        for file in try files() {
            let whole = try decoder.decode(file.bytes, covering: nil)
            #expect(!whole.isPartial, "\(file.name)")
            let bytes = Array(file.bytes.prefix(file.bytes.count / 2))
            let image = try decoder.decode(bytes, covering: nil)
            #expect(image.isPartial, "\(file.name)")
            #expect(image.sourceSize == scene.size, "\(file.name)")
            for point in [(8, 0), (80, 8), (150, 16)] {
                let expected = whole.pixels.pixel(point.0, point.1)
                let found = image.pixels.pixel(point.0, point.1)
                let difference = zip(expected, found).map { abs(Int($0) - Int($1)) }.max() ?? 255
                #expect(difference < 48, "\(file.name) at \(point): \(found) for \(expected)")
            }
        }
    }

    @Test("missing rows are transparent, and the picture is not opaque")
    func missingRows() throws {
        for name in ["JPEG", "PNG", "WebP", "lossless WebP", "GIF"] {
            let file = try #require(try files().first { $0.name == name })
            let bytes = Array(file.bytes.prefix(file.bytes.count / 2))
            for target in [nil, PixelSize(width: 40, height: 40)] {
                let pixels = try decoder.decode(bytes, covering: target).pixels
                #expect(!pixels.isOpaque, "\(name)")
                #expect(pixels.pixel(0, pixels.size.height - 1)[3] == 0, "\(name)")
            }
        }
    }

    @Test("any length gives a picture or an error saying that the file is broken")
    func anyLength() throws {
        for file in try files() {
            for length in stride(from: 0, to: file.bytes.count, by: file.bytes.count / 40 + 1) {
                let bytes = Array(file.bytes.prefix(length))
                do throws(DecodeError) {
                    let image = try decoder.decode(
                        bytes, covering: PixelSize(width: 20, height: 20))
                    #expect(image.sourceSize == scene.size)
                } catch {
                    #expect(!error.description.isEmpty)
                    switch error {
                    case .broken, .unknownFormat: break
                    default: Issue.record("\(file.name) at \(length): \(error)")
                    }
                }
            }
        }
    }

    @Test("wrong bytes in the middle lose at most the rest")
    func wrongBytes() throws {
        for file in try files() {
            var bytes = file.bytes
            for index in bytes.count / 2..<bytes.count / 2 + 20 {
                bytes[index] ^= 0x55
            }
            let image = try decoder.decode(bytes, covering: nil)
            #expect(image.sourceSize == scene.size, "\(file.name)")
        }
    }

    @Test("the missing rows of a cut interlaced GIF repeat those above, as in browsers")
    func interlaced() throws {
        let file = try ImageEncoder.gif(scene, .init(isInterlaced: true))
        // Every odd row is in the second half.
        let image = try decoder.decode(Array(file.prefix(file.count * 3 / 10)), covering: nil)
        #expect(image.isPartial)
        for y in stride(from: 1, to: 152, by: 2) {
            for x in [0, 80, 159] {
                let pixel = image.pixels.pixel(x, y)
                #expect(pixel == image.pixels.pixel(x, y - 1) && pixel[3] == 255, "\(x), \(y)")
            }
        }
    }

    @Test("after a lost piece of a JPEG, restart markers lead on", arguments: [false, true])
    func restarting(isProgressive: Bool) throws {
        var options = JPEGOptions(isProgressive: isProgressive)
        options.restartRows = 1
        let file = try ImageEncoder.jpeg(scene, options)
        let whole = try decoder.decode(file, covering: nil)
        let marks = file.indices.dropLast().filter {
            file[$0] == 0xFF && (0xD0...0xD7).contains(file[$0 + 1])
        }
        // Half of a row of blocks.
        var bytes = file
        bytes.removeSubrange((marks[2] + marks[3]) / 2..<marks[3])
        let image = try decoder.decode(bytes, covering: nil)
        #expect(image.isPartial && !whole.isPartial)
        for y in [0, 20, 80, 120, 159] {
            let (found, expected) = (image.pixels.pixel(150, y), whole.pixels.pixel(150, y))
            #expect(zip(found, expected).allSatisfy { abs(Int($0) - Int($1)) < 8 }, "\(y)")
        }
        // Without its end it still ends there.
        let cut = try decoder.decode(Array(file[..<marks[4]]), covering: nil)
        #expect(cut.isPartial && (isProgressive || cut.pixels.pixel(0, 159)[3] == 0))
    }
}

import Raster

/// WebP's extended container: the `VP8X` header and further chunks (RFC 9649, section 2.7).
struct WebPContainer {
    var hasAlpha = false
    private var hasEXIF = false
    private var isAnimated = false
    private let size: PixelSize
    private var chunks: [UInt8] = []

    init(size: PixelSize) {
        self.size = size
    }

    /// Returns the picture chunks of a file without EXIF or animation.
    static func pictureChunks(of file: [UInt8]) -> [UInt8] {
        let headerLength = 12
        let extendedLength = 18
        let isExtended = file[headerLength..<headerLength + 4].elementsEqual("VP8X".utf8)
        return Array(file.dropFirst(headerLength + (isExtended ? extendedLength : 0)))
    }

    mutating func append(_ chunks: [UInt8]) {
        self.chunks += chunks
    }

    mutating func appendEXIF(orientation: Int) {
        hasEXIF = true
        let tiff: [UInt8] = [
            0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1,
            0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0, 0, 0, 0, 0,
        ]
        append(Self.chunk("EXIF", tiff))
    }

    /// Appends the background (transparent) and the loop count (endless).
    mutating func appendAnimation() {
        isAnimated = true
        append(Self.chunk("ANIM", [0, 0, 0, 0, 0, 0]))
    }

    mutating func appendFrame(_ file: [UInt8], size: PixelSize, milliseconds: Int) {
        let noBlending: UInt8 = 0b10
        let header =
            Self.bytes(0, 3) + Self.bytes(0, 3) + Self.bytes(size.width - 1, 3)
            + Self.bytes(size.height - 1, 3) + Self.bytes(milliseconds, 3) + [noBlending]
        append(Self.chunk("ANMF", header + Self.pictureChunks(of: file)))
    }

    var file: [UInt8] {
        let flags = UInt8((hasAlpha ? 0x10 : 0) | (hasEXIF ? 0x08 : 0) | (isAnimated ? 0x02 : 0))
        let header =
            [flags, 0, 0, 0] + Self.bytes(size.width - 1, 3) + Self.bytes(size.height - 1, 3)
        return Self.chunk("RIFF", Array("WEBP".utf8) + Self.chunk("VP8X", header) + chunks)
    }

    private static func chunk(_ name: String, _ payload: [UInt8]) -> [UInt8] {
        let padding: [UInt8] = payload.count.isMultiple(of: 2) ? [] : [0]
        return Array(name.utf8) + bytes(payload.count, 4) + payload + padding
    }

    /// Returns `value` in `count` bytes, little-endian.
    private static func bytes(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}

import Raster

/// A smaller JPEG of the same picture that the camera embedded in the file.
struct EmbeddedJPEG {
    let bytes: FileBytes
    /// The size as stored.
    let size: PixelSize

    /// More pixels (1920 × 1440) and bytes than any camera's preview has.
    private static let maxPixels = 4_000_000
    private static let maxBytes = 4 << 20
    /// The maximum number of embedded pictures that are examined, each up to its first scan; cameras write three at most.
    private static let maxFound = 32

    /// Creates a candidate; nil unless `bytes` start with a JPEG of a plausible size for a preview of a picture stored at `main`.
    private init?(_ bytes: FileBytes, of main: PixelSize) {
        guard bytes.count <= Self.maxBytes, ImageFormat(sniffing: bytes) == .jpeg,
            let header = JPEGSegment.header(bytes),
            header.height > 0, header.size.count <= Self.maxPixels,
            header.width < main.width, header.height < main.height
        else { return nil }
        self.bytes = bytes
        size = header.size
    }

    /// Returns the size of the part that has the aspect ratio of `main`: all of it, or the middle between the bars that fill a frame of another
    /// shape (as in 160 × 120 for a photograph of 3 : 2); nil if neither fits.
    func content(of main: PixelSize) -> PixelSize? {
        // Sides are rounded, and rounded to even numbers where chroma is subsampled.
        let slack = 1.5
        // A 16 : 9 picture takes three quarters of a 4 : 3 frame, as does a square; panoramas must be decoded from the picture itself.
        let minContent = 0.7
        // The value each side should have if the other one is right.
        let width = Double(size.height) * Double(main.width) / Double(main.height)
        let height = Double(size.width) * Double(main.height) / Double(main.width)
        if abs(width - Double(size.width)) <= slack || abs(height - Double(size.height)) <= slack {
            return size
        }
        // Only whole rows or columns of the picture, without those shared with a bar.
        let inner =
            height < Double(size.height)
            ? PixelSize(width: size.width, height: Int(height) / 2 * 2)
            : PixelSize(width: Int(width) / 2 * 2, height: size.height)
        return Double(inner.count) / Double(size.count) >= minContent ? inner : nil
    }

    /// Returns the smaller pictures in a JPEG stored at `main` (EXIF thumbnail, multi-picture previews) or in a raw file, smallest first.
    ///
    /// They are only located here; whether they can be decoded and show the right picture is unknown. Searches up to the first scan; the
    /// result is empty if the bytes end before it. The beginning of a file may suffice, but then lacks the previews located after it.
    static func all(in reader: FileBytes, of main: PixelSize) -> [EmbeddedJPEG] {
        if let raw = CameraRaw(reader) {
            return raw.previews.compactMap {
                EmbeddedJPEG($0.part(0, length: maxBytes), of: main)
            }
        }
        var found: [FileBytes] = []
        var offset = 2
        while let segment = JPEGSegment(reader, searchingFrom: offset) {
            if segment.marker == JPEGSegment.startOfScan {
                return found.compactMap { EmbeddedJPEG($0, of: main) }
                    .sorted { $0.size.count < $1.size.count }
            }
            if found.count >= maxFound {
                // Further lists only cost time.
            } else if let exif = segment.exif(reader) {
                // The thumbnail (EXIF 2.32, 4.5.8).
                found += TagDirectory(exif)?.next?.pictures ?? []
            } else if segment.marker == JPEGSegment.application2,
                reader.has("MPF\0", at: segment.payload)
            {
                // Offsets count from here, but not only to the end of the segment: the previews come after the picture.
                found += previews(multiPicture: reader.part(segment.payload + 4))
            }
            offset = segment.end
        }
        return []
    }

    /// Returns the large thumbnails among a multi-picture file's entries (CIPA DC-007, 5.2.3.3).
    ///
    /// Other entries are not smaller copies, but other views, parts of a panorama, or brightness maps.
    private static func previews(multiPicture block: FileBytes) -> [FileBytes] {
        let entryLength = 16
        // Cameras write two: VGA and Full HD.
        let maxEntries = 16
        guard let directory = TagDirectory(block),
            let list = directory.value(of: 0xB002, type: 7, size: 1)
        else {
            return []
        }
        return (0..<min(list.count / entryLength, maxEntries)).compactMap { index in
            let entry = list.offset + index * entryLength
            guard let attributes = directory.number(entry, 4),
                let length = directory.number(entry + 4, 4),
                let offset = directory.number(entry + 8, 4), offset > 0
            else { return nil }
            let format = attributes >> 24 & 7
            let kind = attributes & 0xFF_FFFF
            guard format == 0, [0x01_0001, 0x01_0002].contains(kind) else { return nil }
            return block.part(offset, length: length)
        }
    }
}

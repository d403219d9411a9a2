import Raster

/// A box of ISO's base media container (ISO/IEC 14496-12, 4.2).
struct ISOBox {
    /// The four-letter type.
    private let kind: FileBytes
    /// The contents, as far as the bytes are present.
    let payload: FileBytes
    /// The offset of the next box.
    let end: Int

    /// Reads the box at `offset`; nil if there is none.
    init?(_ reader: FileBytes, at offset: Int) {
        kind = reader.part(offset + 4, length: 4)
        guard kind.count == 4, let length = reader.bigEndian(offset, length: 4) else { return nil }
        var header = 8
        var size = length
        if length == 1 {
            header = 16
            guard let long = reader.bigEndian(offset + 8, length: 8), long < 1 << 48 else {
                return nil
            }
            size = long
        } else if length == 0 {
            size = reader.count - offset
        }
        guard size >= header else { return nil }
        payload = reader.part(offset + header, length: size - header)
        end = offset + size
    }

    func has(_ kind: StaticString) -> Bool { self.kind.has(kind, at: 0) }

    /// Returns the boxes in `reader` from `offset` on; nil if there are more than in any sound file.
    static func all(in reader: FileBytes, from offset: Int = 0) -> [ISOBox]? {
        var boxes: [ISOBox] = []
        var offset = offset
        while let box = ISOBox(reader, at: offset) {
            guard boxes.count < 1000 else { return nil }
            boxes.append(box)
            offset = box.end
        }
        return boxes
    }

    /// Returns whether the start of a file declares, first of all, a sequence of pictures in HEIF.
    static func isSequence(_ start: FileBytes) -> Bool {
        let brands: [StaticString] = ["hevc", "hevx", "hevm", "hevs", "msf1"]
        return start.has("ftyp", at: 4) && brands.contains { start.has($0, at: 8) }
    }

    /// Returns whether the start of a file declares any of `brands` as its major or a compatible one.
    static func hasBrand(_ brands: [StaticString], _ start: FileBytes) -> Bool {
        guard let list = all(in: start)?["ftyp"] else { return false }
        // The major brand, a version, the compatible brands.
        return stride(from: 0, to: list.count, by: 4).contains { offset in
            offset != 4 && brands.contains { list.has($0, at: offset) }
        }
    }

    /// Reads the size and orientation of the primary item of an AVIF or HEIC (ISO/IEC 23008-12, 6.5); nil without a size.
    ///
    /// - Parameter isUpright: Whether the library crops and turns the picture.
    static func header(_ reader: FileBytes, isUpright: Bool = false) -> StoredHeader? {
        // Many boxes start with a version and flags, in four bytes.
        guard let meta = all(in: reader)?["meta"], let boxes = all(in: meta, from: 4),
            boxes.allSatisfy(\.isSmall),
            let parts = boxes["iprp"].flatMap({ all(in: $0) }), parts.allSatisfy(\.isSmall),
            let listed = parts["ipco"].flatMap({ all(in: $0) })
        else { return nil }
        let item = boxes["pitm"].flatMap { $0.bigEndian(4, length: $0.byte(0) == 0 ? 2 : 4) }
        let indices = parts.lazy.filter { $0.has("ipma") }
            .compactMap { properties(of: item, in: $0.payload) }.first
        let own =
            indices?.compactMap { listed.indices.contains($0 - 1) ? listed[$0 - 1] : nil } ?? listed
        guard let extent = own["ispe"], var width = extent.bigEndian(4, length: 4),
            var height = extent.bigEndian(8, length: 4)
        else { return nil }
        // Rotation by quarters anticlockwise comes first, then mirroring: 0 swaps top and bottom, 1 left and right.
        var orientation = Turn(quarters: -(own["irot"]?.byte(0) ?? 0))
        if let mirroring = own["imir"]?.byte(0) {
            orientation.flip(isVertical: mirroring & 1 == 0)
        }
        if isUpright {
            if let clean = own["clap"] {
                // Fractions, which are rounded.
                let sides = [0, 8].map { offset in
                    let divisor = max(1, clean.bigEndian(offset + 4, length: 4) ?? 1)
                    return ((clean.bigEndian(offset, length: 4) ?? 0) + divisor / 2) / divisor
                }
                width = sides[0]
                height = sides[1]
            }
            if orientation.swapsSides { swap(&width, &height) }
            orientation = Turn()
        }
        return StoredHeader(
            width: width, height: height, orientation: orientation, exif: exif(reader, boxes))
    }

    /// Returns the EXIF block that is an item of a file with these tables (ISO/IEC 14496-12, 8.11.3 and 8.11.6); nil if there is none.
    private static func exif(_ reader: FileBytes, _ boxes: [ISOBox]) -> FileBytes? {
        // Entries with longer numbers are for files with more than 65,535 items.
        guard let entries = boxes["iinf"],
            let entry = all(in: entries, from: entries.byte(0) == 0 ? 6 : 8)?.map(\.payload)
                .first(where: { $0.has("Exif", at: 8) }),
            let item = entry.bigEndian(4, length: 2),
            let places = boxes["iloc"], let version = places.byte(0),
            let sizes = places.bigEndian(4, length: 2)
        else { return nil }
        var position = 6
        func next(_ length: Int) -> Int? {
            defer { position += length }
            return places.bigEndian(position, length: length)
        }
        let offsetSize = sizes >> 12
        let lengthSize = sizes >> 8 & 15
        let baseSize = sizes >> 4 & 15
        let indexSize = version == 0 ? 0 : sizes & 15
        let idSize = version < 2 ? 2 : 4
        for _ in 0..<(next(idSize) ?? 0) {
            guard let id = next(idSize), next(version == 0 ? 2 : 4) != nil,
                let base = next(baseSize),
                let extentCount = next(2)
            else { return nil }
            if id == item, next(indexSize) != nil, let offset = next(offsetSize),
                let length = next(lengthSize)
            {
                // Four bytes tell how much comes before the TIFF: nothing, or JPEG's mark.
                return reader.part(base &+ offset &+ 4, length: length &- 4)
            }
            position += extentCount * (indexSize + offsetSize + lengthSize)
        }
        return nil
    }

    /// Whether an item table is short enough for libavif and libheif, whose search for each item is linear and cannot be interrupted:
    /// 60,000 items in 1.4 MB take libavif 2.3 s, ten times as many a hundred times as long.
    private var isSmall: Bool {
        !["iinf", "iloc", "iref", "ipma"].contains(where: has) || payload.count <= 1 << 17
    }

    /// Returns the 1-based indices of an item's properties.
    private static func properties(of item: Int?, in payload: FileBytes) -> [Int]? {
        guard let version = payload.byte(0), let flags = payload.byte(3),
            let count = payload.bigEndian(4, length: 4)
        else { return nil }
        let idLength = version == 0 ? 2 : 4
        let indexLength = flags & 1 == 0 ? 1 : 2
        var offset = 8
        for _ in 0..<count {
            guard let id = payload.bigEndian(offset, length: idLength),
                let associations = payload.byte(offset + idLength)
            else { return nil }
            let start = offset + idLength + 1
            if id == item {
                // The highest bit marks a property as essential.
                let mask = indexLength == 1 ? 0x7F : 0x7FFF
                return (0..<associations).compactMap {
                    payload.bigEndian(start + $0 * indexLength, length: indexLength).map {
                        $0 & mask
                    }
                }
            }
            offset = start + associations * indexLength
        }
        return nil
    }
}

extension [ISOBox] {
    /// The contents of the first box of this kind; nil if there is none.
    subscript(kind: StaticString) -> FileBytes? { first { $0.has(kind) }?.payload }
}

extension StoredHeader {
    /// Whether a file that starts so says that it holds AVIF, as its main brand or one of the others.
    static func isAVIF(_ start: [UInt8]) -> Bool {
        let reader = ByteReader(start[...])
        guard let box = ISOBox(reader, at: 0), box.has("ftyp") else { return false }
        // The main brand, a version, the others.
        return stride(from: 0, to: box.payload.count, by: 4).contains { offset in
            offset != 4
                && (box.payload.has("avif", at: offset) || box.payload.has("avis", at: offset))
        }
    }

    /// Reads the size and the turn of an AVIF's main picture (ISO/IEC 23008-12, 6.5); nil without a size.
    init?(avif reader: ByteReader) {
        guard let meta = ISOBox.all(in: reader).first(where: { $0.has("meta") }) else { return nil }
        // Version and flags come first in many boxes.
        let flags = 4
        let boxes = ISOBox.all(in: meta.payload, from: flags)
        guard let properties = boxes.first(where: { $0.has("iprp") }) else { return nil }
        let parts = ISOBox.all(in: properties.payload)
        guard let list = parts.first(where: { $0.has("ipco") }) else { return nil }
        let all = ISOBox.all(in: list.payload)
        let main = boxes.first { $0.has("pitm") }.flatMap(Self.mainItem)
        let indices = parts.lazy.filter { $0.has("ipma") }
            .compactMap { Self.properties(of: main, in: $0.payload) }.first
        let own = indices?.compactMap { all.indices.contains($0 - 1) ? all[$0 - 1] : nil } ?? all
        guard let extent = own.first(where: { $0.has("ispe") }),
            let width = extent.payload.bigEndian(4, length: 4),
            let height = extent.payload.bigEndian(8, length: 4)
        else { return nil }
        self.init(width: width, height: height)
        orientation = Orientation(
            quarterTurnsBack: own.first { $0.has("irot") }?.payload.byte(0) ?? 0,
            mirroring: own.first { $0.has("imir") }?.payload.byte(0))
        isInterlaced = true
    }

    private static func mainItem(_ box: ISOBox) -> Int? {
        box.payload.bigEndian(4, length: box.payload.byte(0) == 0 ? 2 : 4)
    }

    /// The numbers of an item's properties, from 1.
    private static func properties(of item: Int?, in payload: ByteReader) -> [Int]? {
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
                // The highest bit says whether a reader must know the property.
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

extension Orientation {
    /// First so many quarter turns anticlockwise, then mirroring: 0 top and bottom, 1 left and right change places.
    fileprivate init(quarterTurnsBack turns: Int, mirroring: Int?) {
        let table: [[Orientation]] = [
            [.upright, .flipped, .mirrored], [.quarterTurnBack, .transposed, .transversed],
            [.halfTurn, .mirrored, .flipped], [.quarterTurn, .transversed, .transposed],
        ]
        self = table[turns & 3][mirroring.map { 1 + $0 & 1 } ?? 0]
    }
}

/// A box of ISO's base media container (ISO/IEC 14496-12, 4.2), as AVIF and JPEG XL use it.
struct ISOBox {
    /// Four letters.
    let kind: Int
    /// What it holds, as far as it is there.
    let payload: ByteReader
    /// Where the next one begins.
    let end: Int

    /// The box at `offset`; nil if there is none.
    init?(_ reader: ByteReader, at offset: Int) {
        guard let length = reader.bigEndian(offset, length: 4),
            let kind = reader.bigEndian(offset + 4, length: 4)
        else { return nil }
        var header = 8
        var size = length
        if length == 1 {
            header = 16
            guard let high = reader.bigEndian(offset + 8, length: 4), high < 1 << 16,
                let low = reader.bigEndian(offset + 12, length: 4)
            else { return nil }
            size = high << 32 | low
        } else if length == 0 {
            size = reader.count - offset
        }
        guard size >= header else { return nil }
        self.kind = kind
        payload = reader.part(offset + header, length: size - header)
        end = offset + size
    }

    func has(_ kind: StaticString) -> Bool {
        kind.withUTF8Buffer { $0.reduce(0) { $0 << 8 | Int($1) } } == self.kind
    }

    /// The boxes in `reader` from `offset` on, as many as a sound file may have.
    static func all(in reader: ByteReader, from offset: Int = 0) -> [ISOBox] {
        let most = 1000
        var boxes: [ISOBox] = []
        var offset = offset
        while boxes.count < most, let box = ISOBox(reader, at: offset) {
            boxes.append(box)
            offset = box.end
        }
        return boxes
    }
}

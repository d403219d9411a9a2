public import Raster

extension ImageHeader {
    /// Returns a JPEG with another EXIF orientation, so that it is shown turned; nil if it is no JPEG, or has EXIF data without one.
    public static func turned(_ file: [UInt8], by turn: Turn) -> [UInt8]? {
        guard let header = ImageHeader(of: FileBytes(file)), header.format == .jpeg else {
            return nil
        }
        let all = header.orientation.followed(by: turn)
        let number = UInt8((1...8).first { Turn(orientation: $0) == all } ?? 1)
        var turned = file
        if let exif = JPEGSegment.header(FileBytes(file))?.exif {
            guard let value = TagDirectory(exif)?.value(of: 0x0112, type: 3, size: 2),
                exif.byte(value.offset + 1) != nil
            else { return nil }
            turned[exif.start + value.offset + (exif.byte(0) == 0x49 ? 0 : 1)] = number
        } else {
            // A block with a directory of nothing else.
            let exif =
                "\0\u{22}Exif\0\0MM\0*\0\0\0\u{8}\0\u{1}\u{1}\u{12}\0\u{3}\0\0\0\u{1}\0\(Unicode.Scalar(number))\0\0\0\0\0\0"
            turned.insert(contentsOf: [0xFF, 0xE1] + exif.utf8, at: 2)
        }
        return ImageHeader(of: FileBytes(turned))?.orientation == all ? turned : nil
    }
}

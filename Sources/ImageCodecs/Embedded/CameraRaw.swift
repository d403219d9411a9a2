import Basics
import Raster

/// The pictures in a camera's raw file, which are shown in place of its sensor's data: JPEGs, one of them usually as large as a photograph.
///
/// CR2, NEF, ARW, DNG and PEF have TIFF's layout, and list their JPEGs in directories. ORF, RW2, RAF and CR3 list them in places of their
/// own, but have them near the beginning.
struct CameraRaw {
    /// The JPEGs, the one with the most pixels last; each may be truncated, or followed by other data.
    let previews: [FileBytes]
    /// The header of the last one, with the block of the camera's tags.
    let header: StoredHeader

    private static let maxDirectories = 16
    /// The bytes that are searched for JPEGs, and how many are examined; cameras write three or four.
    private static let maxSearched = 2 << 20
    private static let maxFound = 16
    /// The bytes that are examined of each: its size comes after metadata and its own thumbnail.
    private static let maxHeader = 256 << 10

    /// Finds the pictures in a raw file; nil if there are none.
    init?(_ file: FileBytes) {
        var found = Self.directories(of: file).flatMap(\.pictures)
        if Self.isStart(file) {
            found += Self.places(of: [0xFF, 0xD8, 0xFF], in: file).map { file.part($0) }
        }
        let pictures = found.compactMap { bytes -> (bytes: FileBytes, header: StoredHeader)? in
            let start = bytes.part(0, length: Self.maxHeader)
            guard start.bigEndian(0, length: 3) == 0xFFD8FF else { return nil }
            return JPEGSegment.header(start, of: JPEGSegment.lossy).map { (bytes, $0) }
        }.sorted { $0.header.size.count < $1.header.size.count }
        guard var header = pictures.last?.header else { return nil }
        header.exif =
            TagDirectory(file) != nil
            ? file : Self.places(of: "II*\0".bytes, in: file).first.map { file.part($0) }
        previews = pictures.map(\.bytes)
        self.header = header
    }

    /// Returns whether the start of a file is that of an RAF, CR3, RW2 or ORF.
    static func isStart(_ start: FileBytes) -> Bool {
        start.has("FUJIFILMCCD-RAW", at: 0) || start.has("ftypcrx ", at: 4)
            || TagDirectory.rawMarks.contains { start.has($0, at: 0) }
    }

    /// Returns whether a TIFF is a raw file: a CR2, or one with a directory of a sensor's data (TIFF/EP and DNG).
    static func isOne(_ file: FileBytes) -> Bool {
        let colorFilterArray = 32803
        let linearRaw = 34892
        return file.has("CR", at: 8)
            || directories(of: file).contains {
                [colorFilterArray, linearRaw].contains($0.number(of: 0x0106))
            }
    }

    /// Returns the directories in a row and those below them.
    private static func directories(of file: FileBytes) -> [TagDirectory] {
        var waiting = nonNil(TagDirectory(file))
        var found: [TagDirectory] = []
        while let directory = waiting.popLast(), found.count < maxDirectories {
            found.append(directory)
            waiting += nonNil(directory.next)
            // LONG, or IFD.
            for list in [4, 13].compactMap({ directory.value(of: 0x014A, type: $0, size: 4) }) {
                waiting += (0..<min(list.count, maxDirectories)).compactMap {
                    directory.directory(at: directory.number(list.offset + $0 * 4, 4))
                }
            }
        }
        return found
    }

    /// Returns the first places of `mark` near the beginning of a file in memory.
    private static func places(of mark: [UInt8], in file: FileBytes) -> [Int] {
        file.part(0, length: maxSearched).withContiguousStorageIfAvailable { bytes in
            let places = bytes.indices.lazy.filter {
                bytes[$0] == mark[0] && bytes[$0...].starts(with: mark)
            }
            return Array(places.prefix(maxFound))
        } ?? []
    }
}

extension TagDirectory {
    /// What may be JPEGs in a directory: a thumbnail as in EXIF (2.32, 4.6.4), and a picture in one strip.
    var pictures: [FileBytes] {
        [(0x0201, 0x0202), (0x0111, 0x0117)].compactMap { start, length in
            guard let offset = number(of: start), let count = number(of: length) else { return nil }
            return block.part(offset, length: count)
        }
    }
}

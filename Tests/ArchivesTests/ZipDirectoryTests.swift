import Basics
import TestSupport
import Testing

@testable import Archives

/// The directories of zip archives, found in their last bytes.
@Suite struct ZipDirectoryTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    /// Returns an archive of forty files, packed or not.
    private func archive(_ form: PackedFiles.Form = .storedZip) throws -> [UInt8] {
        let files = (1...40).map { ("folder/\($0).png", [UInt8](repeating: UInt8($0), count: 500)) }
        #expect(PackedFiles.write(files, to: scratch.path + "/a.zip", as: form))
        return scratch.read("a.zip")
    }

    @Test(
        "each file is found, and read from its part alone",
        arguments: [PackedFiles.Form.zip, .storedZip])
    func files(_ form: PackedFiles.Form) throws {
        let bytes = try archive(form)
        let directory = try #require(ZipDirectory(in: bytes))
        #expect(directory.missing.isEmpty)
        let opened = try Archive(directory: directory.bytes, version: "1", limit: 1000)
        #expect(opened.entries.count == 40 && opened.version == "1")
        // That of all that these archives are made of.
        #expect(Set(opened.entries.map(\.changed)) == [1_543_226_400])
        for (index, entry) in opened.entries.enumerated() {
            #expect(entry.path == "folder/\(index + 1).png" && entry.byteCount == 500)
            let part = try #require(opened.part(with: entry.path))
            #expect(part.count < 700)
            let contents = try opened.contents(in: Array(bytes[part]))
            #expect(contents == [UInt8](repeating: UInt8(index + 1), count: 500))
        }
        #expect(opened.part(with: "folder/41.png") == nil)
        #expect(throws: ArchiveError.missing) { try opened.contents(of: "folder/1.png") }
        let small = try Archive(directory: directory.bytes, version: "1", limit: 499)
        let part = try #require(small.part(with: "folder/1.png"))
        #expect(throws: ArchiveError.tooLarge(limit: 499)) {
            try small.contents(in: Array(bytes[part]))
        }
    }

    @Test("of a directory that the last bytes have in part, the rest is known")
    func missing() throws {
        let bytes = try archive()
        let whole = try #require(ZipDirectory(in: bytes))
        let start = bytes.count - whole.bytes.count
        for length in [22, 23, 100, whole.bytes.count - 1] {
            let directory = try #require(ZipDirectory(in: bytes.suffix(length)))
            #expect(directory.missing == start..<bytes.count - length)
            #expect(bytes[directory.missing] + directory.bytes == whole.bytes)
        }
        #expect(ZipDirectory(in: bytes.suffix(21)) == nil)
        #expect(ZipDirectory(in: bytes.dropLast()) == nil)
    }

    /// Returns a number in so many bytes, the lowest first.
    private func number(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    @Test("places beyond 4 GB are read from the fields for large archives")
    func large() throws {
        let place = 5_000_000_000
        let large =
            number(1, 2) + number(24, 2) + [77, 88].flatMap { number($0, 8) }
            + number(place, 8)
        let fields = number(0x5455, 2) + number(1, 2) + [0] + large
        let header =
            "PK\u{1}\u{2}".bytes + [UInt8](repeating: 0, count: 16)
            + [UInt8](repeating: 0xFF, count: 8) + number(5, 2) + number(fields.count, 2)
            + [UInt8](repeating: 0, count: 10) + [UInt8](repeating: 0xFF, count: 4)
        let entry = header + "a.png".bytes + fields
        let start = 6_000_000_000
        let record =
            "PK\u{6}\u{6}".bytes + [UInt8](repeating: 0, count: 36) + number(entry.count, 8)
            + number(start, 8) + "PK\u{6}\u{7}".bytes + [UInt8](repeating: 0, count: 16)
        let end =
            "PK\u{5}\u{6}".bytes + [UInt8](repeating: 0xFF, count: 16) + number(0, 2)
        let directory = try #require(ZipDirectory(in: entry + record + end))
        #expect(directory.missing == start..<start)
        #expect(directory.files.map(\.part) == [place..<start])
        #expect(directory.files.first?.name == "a.png".bytes)
    }

    @Test("a damaged or hostile directory names no part beyond itself, and ends nothing")
    func hostile() throws {
        let bytes = try archive()
        let tail = try #require(ZipDirectory(in: bytes)).bytes
        var random = SystemRandomNumberGenerator()
        for _ in 0..<3000 {
            var broken = tail
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: broken.indices, using: &random)
                broken[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
            }
            guard let directory = ZipDirectory(in: broken) else { continue }
            #expect(directory.missing.upperBound <= 1 << 49)
            for file in directory.files {
                #expect(file.part.lowerBound >= 0 && !file.part.isEmpty, "\(broken)")
                #expect(file.part.upperBound <= directory.missing.lowerBound, "\(broken)")
            }
        }
        let none = "PK\u{5}\u{6}".bytes + [UInt8](repeating: 0, count: 18)
        #expect(ZipDirectory(in: none)?.files.isEmpty == true)
        #expect(throws: ArchiveError.self) {
            try Archive(directory: none, version: "1", limit: 1000)
        }
    }
}

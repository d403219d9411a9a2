import Basics
import Dispatch
import Glibc
import TestSupport
import Testing

@testable import Archives

@Suite struct ArchiveTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    /// Bytes that differ from file to file and can be packed.
    private static func bytes(_ seed: Int, count: Int = 5000) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7 &* seed) }
    }

    private func open(_ path: String, limit: Int = 1 << 20) throws(ArchiveError) -> Archive {
        try Archive(path: path, limit: limit)
    }

    private func packed(
        _ files: [(name: [UInt8], bytes: [UInt8])], as form: PackedFiles.Form = .zip,
        password: String? = nil
    ) throws -> String {
        let path = scratch.path + "/archive"
        try #require(PackedFiles.write(files, to: path, as: form, password: password))
        return path
    }

    @Test(
        "every format returns what was packed, in any order of access",
        arguments: PackedFiles.Form.allCases.filter { $0 != .gzip })
    func forms(_ form: PackedFiles.Form) throws {
        let files = (1...9).map { (Array("Seite \($0)/bild é.jpg".utf8), Self.bytes($0)) }
        let archive = try open(try packed(files, as: form))
        #expect(archive.failure == nil)
        #expect(archive.entries.map(\.path) == (1...9).map { "Seite \($0)/bild é.jpg" })
        #expect(archive.entries.map(\.byteCount) == files.map { $0.1.count })
        #expect(archive.entries.allSatisfy { $0.changed == 1_543_226_400 })
        for number in [8, 0, 4, 4, 1, 7] {
            let bytes = try archive.contents(of: archive.entries[number].path)
            #expect(bytes == files[number].1, "\(number)")
        }
        #expect(throws: ArchiveError.missing) { try archive.contents(of: "other.jpg") }
    }

    @Test(
        "reading entries in order does not reread all previous headers each time",
        arguments: [PackedFiles.Form.zip, .storedZip, .tar])
    func inOrder(_ form: PackedFiles.Form) throws {
        let files = (0..<4).map { (Array("\($0).jpg".utf8), Self.bytes($0 + 1, count: 40_000)) }
        let path = try packed(files, as: form)
        let archive = try open(path)
        #expect(try archive.contents(of: "0.jpg") == files[0].1)
        #expect(try archive.contents(of: "1.jpg") == files[1].1)
        // Several threads each get an entry of their own.
        DispatchQueue.concurrentPerform(iterations: 64) { number in
            #expect((try? archive.contents(of: "\(number % 4).jpg")) == files[number % 4].1)
        }
        let one = try open(path)
        #expect(try one.contents(of: "1.jpg") == files[1].1)
        // The first header is gone.
        let file = try #require(fopen(path, "r+"))
        fwrite([UInt8](repeating: 0, count: 30), 1, 30, file)
        fclose(file)
        #expect(try one.contents(of: "3.jpg") == files[3].1)
        #expect(throws: ArchiveError.self) { try one.contents(of: "2.jpg") }
    }

    @Test(
        "paths cannot leave the archive, and every entry has a unique one",
        arguments: [true, false])
    func names(isTar: Bool) throws {
        let names: [[UInt8]] =
            [
                "../../etc/passwd", "/abs/a.jpg", "x//./y.jpg", "two.jpg", "two.jpg",
                "a\u{1B}[2Jb.jpg", "..", "é.jpg",
            ].map { Array($0.utf8) } + [[0xE9, 0x2E, 0x6A], [0xE8, 0x2E, 0x6A]]
        let files = names.enumerated().map { ($1, [UInt8($0)]) }
        let archive = try open(try packed(files, as: isTar ? .tar : .storedZip))
        #expect(
            archive.entries.map(\.path) == [
                "etc/passwd", "abs/a.jpg", "x/y.jpg", "two.jpg", "two (2).jpg", "a[2Jb.jpg",
                "é.jpg",
            ] + (isTar ? ["é.j", "è.j"] : ["Θ.j", "Φ.j"]))
        let numbers: [UInt8] = [0, 1, 2, 3, 4, 5, 7, 8, 9]
        for (entry, number) in zip(archive.entries, numbers) {
            #expect(try archive.contents(of: entry.path) == [number])
        }
    }

    @Test(
        "names that are too long or too deep, and excess entries, are skipped; the rest is listed")
    func bounds() throws {
        let steps = (1...64).map { _ in "d" }
        let names = [
            steps.joined(separator: "/"), (steps + ["d"]).joined(separator: "/"),
            String(repeating: "n", count: 4096), String(repeating: "n", count: 4097), "last",
        ]
        let archive = try open(try packed(names.map { (Array($0.utf8), [1]) }))
        #expect(archive.entries.map(\.path) == [names[0], names[2], "last"])
        let many = (0..<50_010).map { (Array("\($0)".utf8), [UInt8]()) }
        let long = try open(try packed(many, as: .storedZip))
        #expect(long.entries.count == 50_000 && long.entries.last?.path == "49999")
        #expect(long.failure == .system("it holds too many files"))
    }

    @Test("encrypted entries are listed and throw an error when read")
    func encrypted() throws {
        let archive = try open(
            try packed([(Array("a.jpg".utf8), Self.bytes(3))], password: "secret"))
        #expect(archive.entries.map(\.path) == ["a.jpg"])
        #expect(throws: ArchiveError.encrypted) { try archive.contents(of: "a.jpg") }
    }

    @Test(
        "an entry beyond the size limit fails alone",
        arguments: [PackedFiles.Form.zip, .sevenZip, .gzippedTar])
    func tooLarge(_ form: PackedFiles.Form) throws {
        let files = [
            ([UInt8(0x61)], Self.bytes(1, count: 3000)), ([0x62], Self.bytes(2, count: 900)),
        ]
        let archive = try open(try packed(files, as: form), limit: 1000)
        #expect(throws: ArchiveError.tooLarge(limit: 1000)) { try archive.contents(of: "a") }
        #expect(try archive.contents(of: "b") == files[1].1)
    }

    @Test("an archive bomb is abandoned once it unpacks to more than the limit allows")
    func bomb() throws {
        let zeros = [UInt8](repeating: 0, count: 30 << 20)
        let files = (1...4).map { (Array("\($0).bmp".utf8), zeros) }
        let archive = try open(try packed(files, as: .packedTar), limit: 64 << 20)
        #expect(archive.entries.map(\.path) == ["1.bmp", "2.bmp"])
        #expect(archive.failure == .system("unpacked it would be larger than 65 MB"))
    }

    /// Packs a picture, 100 MB of zeros and another picture.
    private func bomb(as form: PackedFiles.Form) throws -> String {
        let zeros = [UInt8](repeating: 0, count: 100 << 20)
        return try packed(
            [(Array("1.gif".utf8), [1]), (Array("z.bin".utf8), zeros), (Array("2.gif".utf8), [2])],
            as: form)
    }

    @Test("what is skipped counts as unpacked, too, and what came before it is read")
    func skipped() throws {
        let archive = try open(try bomb(as: .quickTar))
        #expect(archive.entries.map(\.path) == ["1.gif", "z.bin"])
        #expect(try archive.contents(of: "1.gif") == [1])
        #expect(throws: ArchiveError.tooLarge(limit: 1 << 20)) {
            try archive.contents(of: "z.bin")
        }
        let reason = try #require(archive.failure?.description)
        #expect(reason.hasPrefix("unpacked it would be larger than "))
    }

    @Test("an archive that takes too long is listed as far as it was read in time")
    func late() throws {
        let files = (1...50).map { (Array("\($0).gif".utf8), [UInt8($0)]) }
        let archive = try Archive(
            path: try packed(files, as: .quickTar), limit: 1 << 20, seconds: 20,
            clock: steppingClock(1))
        #expect((1..<50).contains(archive.entries.count))
        #expect(archive.failure == .system("unpacking it takes longer than 20 s"))
        #expect(try archive.contents(of: "1.gif") == [1])
    }

    @Test("no archive size overflows the limit for unpacking")
    func monstrousSize() {
        let counts = [0, 1 << 20, 1 << 48, .max / 100, .max]
        let allowances = counts.map(ArchiveStream.allowance)
        #expect(allowances[0] == 64 << 20 && allowances[1] == 164 << 20)
        #expect(allowances[2] == (64 << 20) + 100 << 48)
        #expect(allowances[3] == .max && allowances[4] == .max)
    }

    @Test("a zip archive without its directory is unpacked once, within the same limits")
    func zipWithoutDirectory() throws {
        let path = try bomb(as: .zip)
        #expect(try open(path).entries.count == 3)
        let whole = scratch.read("archive")
        let directory = try #require(whole.firstRange(of: Array("PK\u{1}\u{2}".utf8)))
        try scratch.write(Array(whole[..<directory.lowerBound]), to: "archive")
        let archive = try open(path)
        #expect(archive.entries.map(\.path) == ["1.gif", "z.bin"])
        let reason = try #require(archive.failure?.description)
        #expect(reason.hasPrefix("unpacked it would be larger than "))
        // Its contents are kept, so that no picture unpacks those before it again.
        #expect(truncate(path, 0) == 0)
        #expect(try archive.contents(of: "1.gif") == [1])
    }

    @Test(
        "an archive truncated or corrupted anywhere yields readable entries or a one-line error",
        arguments: PackedFiles.Form.allCases.filter { $0 != .gzip })
    func broken(_ form: PackedFiles.Form) throws {
        let files = (1...3).map { (Array("\($0).jpg".utf8), Self.bytes($0, count: 700)) }
        _ = try packed(files, as: form)
        let whole = scratch.read("archive")
        for step in 0..<60 {
            let place = whole.count * step / 60
            var changed = whole
            changed[place] ^= 0x55
            for bytes in [Array(whole[..<place]), changed] {
                let path = try scratch.write(bytes, to: "broken")
                do throws(ArchiveError) {
                    let archive = try open(path)
                    for entry in archive.entries { _ = try? archive.contents(of: entry.path) }
                } catch {
                    #expect(!error.description.isEmpty)
                    #expect(error.description.withoutControls == error.description)
                }
            }
        }
    }

    @Test("RAR is read as far as libarchive supports it")
    func rar() throws {
        func number(_ value: Int, _ count: Int = 4) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        func block(_ head: [UInt8], _ data: [UInt8] = []) -> [UInt8] {
            number(Int(Self.sum(head)), 2) + head + data
        }
        let picture = Self.bytes(5, count: 300)
        let name = Array("a.jpg".utf8)
        // Header type 0x74 with data behind it, stored (0x30) by Unix (3).
        var head: [UInt8] = [0x74, 0, 0x80] + number(32 + name.count, 2)
        head += number(300) + number(300) + [3] + number(Int(Self.sum(picture))) + number(0)
        head += [20, 0x30] + number(name.count, 2) + number(0x81A4) + name
        let bytes =
            Array("Rar!\u{1A}\u{7}\u{0}".utf8)
            + block([0x73, 0, 0, 13, 0, 0, 0, 0, 0, 0, 0]) + block(head, picture)
            + block([0x7B, 0, 0x40, 7, 0])
        let archive = try open(try scratch.write(bytes, to: "a.cbr"))
        #expect(archive.entries.map(\.path) == ["a.jpg"])
        #expect(try archive.contents(of: "a.jpg") == picture)
        // A solid one is not damaged.
        head[1] = 0x10
        let solid = bytes[..<20] + block(head, picture)
        let path = try scratch.write(Array(solid), to: "b.cbr")
        let error = #expect(throws: ArchiveError.self) { try open(path) }
        // libarchive 3.8 dropped the full stop.
        let reason = "RAR solid archive support unavailable"
        #expect([reason, reason + "."].contains(error?.description))
    }

    /// CRC-32.
    private static func sum(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 {
                let isOdd = sum & 1 == 1
                sum >>= 1
                if isOdd { sum ^= 0xEDB8_8320 }
            }
        }
        return ~sum
    }

    @Test(
        "files that are not archives are not recognised as such",
        arguments: ["", "plain text", "<html>", "PK", "{}", "\u{1F}x"])
    func others(_ text: String) throws {
        #expect(!Archive.isOne(atPath: try scratch.write(text, to: "file")))
        #expect(!Archive.isOne(atPath: scratch.path))
        #expect(!Archive.isOne(atPath: "/dev/null"))
    }

    @Test("a changed archive is reopened, and a path into it resolves to its entry")
    func cached() throws {
        let cache = ArchiveCache()
        let path = try packed([(Array("a b/c.jpg".utf8), [1])])
        #expect(try cache.contents(ofEntryAt: path + "/a b/c.jpg") == [1])
        _ = try packed([(Array("a b/c.jpg".utf8), [1, 2, 3])])
        #expect(try cache.contents(ofEntryAt: path + "/a b/c.jpg") == [1, 2, 3])
        #expect(try cache.contents(ofEntryAt: scratch.path + "/none/c.jpg") == nil)
    }

    @Test("one stream has one filter: a gzip in a gzip is no archive, however often")
    func filters() throws {
        let path = try packed([([0x61], Self.bytes(1))], as: .gzippedTar)
        #expect(try open(path).entries.map(\.path) == ["a"])
        for _ in 0..<2 {
            _ = try packed([([0x61], scratch.read("archive"))], as: .gzip)
            let error = #expect(throws: ArchiveError.self) { try open(path) }
            #expect(error == .damaged("not a supported archive"))
        }
    }

    @Test("a path leads into an archive in an archive, within the limits of the outer one")
    func nested() throws {
        func put(_ byte: UInt8) throws -> String {
            for (name, form) in [
                ("1.gif", PackedFiles.Form.zip), ("v 1.cbz", .tar), ("all.tar", .zip),
            ] {
                let bytes = name == "1.gif" ? [byte, 2, 3] : scratch.read("archive")
                _ = try packed([(Array("other".utf8), [0]), (Array(name.utf8), bytes)], as: form)
            }
            return scratch.path + "/archive"
        }
        let path = try put(1)
        let cache = ArchiveCache()
        let volume = try cache.archive(at: path + "/all.tar/v 1.cbz")
        #expect(volume.entries.map(\.path) == ["other", "1.gif"])
        #expect(try cache.contents(ofEntryAt: path + "/all.tar/v 1.cbz/1.gif") == [1, 2, 3])
        #expect(try cache.contents(ofEntryAt: path + "/all.tar/other") == [0])
        _ = try put(4)
        #expect(try cache.contents(ofEntryAt: path + "/all.tar/v 1.cbz/1.gif") == [4, 2, 3])
        #expect(throws: ArchiveError.missing) {
            try cache.contents(ofEntryAt: path + "/all.tar/other/1.gif")
        }
        #expect(throws: ArchiveError.tooLarge(limit: 100)) {
            try ArchiveCache(limit: 100).archive(at: path + "/all.tar")
        }
    }
}

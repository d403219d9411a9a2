import Basics
import Dispatch
import Glibc
import Pipeline
import TestSupport
import Testing

/// A temporary folder for one test, removed with its contents when released.
final class TemporaryFolder: Sendable {
    private let scratch = try? ScratchFolder()
    var path: String { scratch?.path ?? "/nonexistent" }
    var names: [String] { (fileNames(in: path, limit: .max, isAll: true) ?? []).sorted() }

    func write(_ bytes: [UInt8], to name: String) { _ = try? scratch?.write(bytes, to: name) }
    func write(_ text: String, to name: String) { write(Array(text.utf8), to: name) }
    func read(_ name: String) -> [UInt8] { scratch?.read(name) ?? [] }

    /// Pretends that `name` was last used and changed `seconds` ago.
    func age(_ name: String, by seconds: Int) {
        let then = timespec(tv_sec: time(nil) - seconds, tv_nsec: 0)
        // Modified before it was used, as a `relatime` mount would otherwise record the use by itself.
        let before = timespec(tv_sec: then.tv_sec - 10, tv_nsec: 0)
        utimensat(AT_FDCWD, path + "/" + name, [then, before], 0)
    }
}

@Suite struct DiskCacheTests {
    let folder = TemporaryFolder()

    func cache(capacity: Int = 1 << 20) -> DiskCache {
        DiskCache(folder: folder.path, capacity: capacity)
    }

    func entry(_ count: Int, of byte: UInt8 = 7) -> DiskCache.Entry {
        DiskCache.Entry(
            metadata: [("etag", "\"ä\""), ("type", "image/jpeg"), ("empty", "")],
            body: Array(repeating: byte, count: count))
    }

    @Test("an entry is read back with its metadata, also by another instance")
    func roundTrip() throws {
        #expect(cache().write(entry(1000), for: "https://example.org/ä?b=1"))
        let read = try #require(cache().read("https://example.org/ä?b=1"))
        #expect(read.body == Array(repeating: 7, count: 1000))
        #expect(read.metadata.map(\.name) == ["etag", "type", "empty"])
        #expect(read.metadata.map(\.value) == ["\"ä\"", "image/jpeg", ""])
        #expect(cache().read("https://example.org/") == nil)
    }

    @Test("an empty body without metadata is a valid entry")
    func emptyEntry() throws {
        let cache = cache()
        cache.write(DiskCache.Entry(metadata: [], body: []), for: "")
        #expect(try #require(cache.read("")).body.isEmpty)
    }

    @Test("a new entry replaces the old one, with one file per key; removal deletes it")
    func replaces() throws {
        let cache = cache()
        cache.write(entry(10, of: 1), for: "k")
        cache.write(entry(20, of: 2), for: "k")
        #expect(folder.names.count == 1)
        #expect(cache.read("k")?.body == Array(repeating: 2, count: 20))
        cache.remove("k")
        #expect(cache.read("k") == nil)
        #expect(folder.names.isEmpty)
    }

    @Test("a file truncated at any length is a miss and is removed")
    func truncated() throws {
        cache().write(entry(100), for: "key")
        let name = try #require(folder.names.first)
        let whole = folder.read(name)
        for length in whole.indices {
            folder.write(Array(whole.prefix(length)), to: name)
            #expect(cache().read("key") == nil, "\(length) bytes")
            #expect(folder.names.isEmpty)
        }
    }

    @Test("a file is marked as used without being read, and only if it exists")
    func touches() throws {
        let cache = cache()
        #expect(!cache.touch("k"))
        cache.write(entry(1), for: "k")
        let name = try #require(folder.names.first)
        folder.age(name, by: 1000)
        #expect(cache.touch("k"))
        var status = stat()
        #expect(lstat(folder.path + "/" + name, &status) == 0)
        #expect(time(nil) - status.st_atim.tv_sec < 500)
    }

    @Test("a trim made due by a write runs where specified, one at a time")
    func trimsLater() throws {
        let due = Locked<[@Sendable () -> Void]>([])
        let cache = DiskCache(folder: folder.path, capacity: 5000) { trim in
            due.withLock { $0.append(trim) }
        }
        for number in 0..<9 {
            cache.write(entry(1000), for: "\(number)")
        }
        #expect(folder.names.count == 9)
        let trims = due.withLock { $0 }
        #expect(trims.count == 1)
        trims.forEach { $0() }
        #expect(folder.names.count == 3)
        // Now known to be small: the next trim is due only when the budget is exceeded.
        cache.write(entry(1000), for: "x")
        #expect(due.withLock(\.count) == 1)
    }

    @Test("a file with any single byte altered is a miss")
    func altered() throws {
        let cache = cache()
        cache.write(entry(100), for: "key")
        let name = try #require(folder.names.first)
        let whole = folder.read(name)
        for index in whole.indices {
            var bytes = whole
            bytes[index] ^= 0x80
            folder.write(bytes, to: name)
            #expect(cache.read("key") == nil, "byte \(index)")
        }
        folder.write(whole + [0], to: name)
        #expect(cache.read("key") == nil)
        folder.write(whole, to: name)
        #expect(cache.read("key") != nil)
    }

    @Test("a file containing another key is a miss but is kept")
    func otherKey() throws {
        let cache = cache()
        cache.write(entry(1), for: "one")
        let one = try #require(folder.names.first)
        let bytes = folder.read(one)
        cache.remove("one")
        cache.write(entry(1), for: "two")
        let two = try #require(folder.names.first)
        folder.write(bytes, to: two)
        #expect(cache.read("two") == nil)
        #expect(folder.names == [two])
    }

    @Test("beyond the budget, least recently used entries are evicted down to 70 %")
    func trims() throws {
        let cache = cache(capacity: 10_000)
        var names: [String: String] = [:]
        for number in 0..<9 {
            let before = Set(folder.names)
            cache.write(entry(1000), for: "\(number)")
            let name = try #require(Set(folder.names).subtracting(before).first)
            names["\(number)"] = name
            folder.age(name, by: 1000 - number)
        }
        // Reading marks an entry as used, whatever the file system does.
        #expect(cache.read("0") != nil)
        #expect(folder.names.count == 9)
        cache.write(entry(1000), for: "9")
        // An entry is 1,078 bytes: 6 fit into 7,000.
        let kept = (0..<10).map(String.init).filter { cache.read($0) != nil }
        #expect(kept == ["0", "5", "6", "7", "8", "9"])
    }

    @Test("entries written by other instances count from the first write on")
    func countsForeignInstances() throws {
        let first = cache(capacity: 10_000)
        for number in 0..<9 {
            first.write(entry(1000), for: "\(number)")
        }
        cache(capacity: 5_000).write(entry(1000), for: "x")
        #expect(folder.names.count == 3)
    }

    @Test("foreign files in the folder are neither counted, read nor removed")
    func foreignFiles() throws {
        folder.write(Array(repeating: 0, count: 50_000), to: "holiday.jpg")
        folder.write([1], to: "ABCDEF0123456789abcdef0123456789")
        folder.write([1], to: "notes.part")
        folder.age("notes.part", by: 100_000)
        let cache = cache(capacity: 3_000)
        for number in 0..<5 {
            cache.write(entry(1000), for: "\(number)")
        }
        cache.trim()
        #expect(folder.names.count == 3 + 1)
        #expect(folder.read("holiday.jpg").count == 50_000)
    }

    @Test("leftovers of dead writers are removed once they are old")
    func leftovers() throws {
        let hash = String(repeating: "a", count: 32)
        folder.write([1], to: "\(hash).12.1.part")
        folder.write([1], to: "\(hash).12.2.part")
        folder.age("\(hash).12.1.part", by: 7200)
        cache().trim()
        #expect(folder.names == ["\(hash).12.2.part"])
    }

    @Test("an entry larger than the budget is not stored, and the outdated one is removed")
    func tooLarge() throws {
        let cache = cache(capacity: 500)
        cache.write(entry(10), for: "k")
        #expect(!cache.write(entry(1000), for: "k"))
        #expect(cache.read("k") == nil)
        #expect(folder.names.isEmpty)
    }

    @Test("an unwritable folder means that nothing is cached")
    func unwritable() throws {
        // A file in place of a folder stops everybody, including root.
        folder.write([1], to: "file")
        let cache = DiskCache(folder: folder.path + "/file/cache", capacity: 1000)
        #expect(!cache.write(entry(1), for: "k"))
        #expect(cache.read("k") == nil)
        cache.trim()
        let full = DiskCache(folder: "/dev/full", capacity: 1000)
        #expect(!full.write(entry(1), for: "k"))
    }

    @Test("the folder is created private on the first write, and again after deletion")
    func folderAppears() throws {
        let path = folder.path + "/sub"
        let cache = DiskCache(folder: path, capacity: 10_000)
        #expect(cache.read("k") == nil)
        #expect(access(path, F_OK) != 0)
        for _ in 0..<2 {
            #expect(cache.write(entry(1), for: "k"))
            #expect(cache.read("k") != nil)
            var status = stat()
            #expect(lstat(path, &status) == 0 && status.st_mode & 0o777 == 0o700)
            cache.remove("k")
            rmdir(path)
        }
    }

    @Test("a symbolic link or FIFO with a cache file's name is never followed or waited for")
    func strangeFiles() throws {
        let cache = cache()
        cache.write(entry(1), for: "k")
        let name = try #require(folder.names.first)
        rename(folder.path + "/" + name, folder.path + "/elsewhere")
        symlink(folder.path + "/elsewhere", folder.path + "/" + name)
        #expect(cache.read("k") == nil)
        unlink(folder.path + "/" + name)
        mkfifo(folder.path + "/" + name, 0o600)
        #expect(cache.read("k") == nil)
    }

    @Test("two instances writing, reading and trimming one folder never read mixed entries")
    func sharedFolder() throws {
        let caches = [cache(capacity: 20_000), cache(capacity: 20_000)]
        DispatchQueue.concurrentPerform(iterations: 600) { number in
            let cache = caches[number % 2]
            let byte = UInt8(truncatingIfNeeded: number)
            cache.write(entry(500 + number, of: byte), for: "\(number % 5)")
            if let read = cache.read("\(number % 5)"), let first = read.body.first {
                #expect(read.body.allSatisfy { $0 == first })
                #expect(UInt8(truncatingIfNeeded: read.body.count - 500) == first)
            }
            if number.isMultiple(of: 40) {
                cache.trim()
            }
        }
        #expect(folder.names.count == 5)
    }
}

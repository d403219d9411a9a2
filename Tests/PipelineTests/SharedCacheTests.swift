import Basics
import Glibc
import Pipeline
import TestTraits
import Testing

/// Several processes sharing one cache folder; some of them are killed.
@Suite(.onOwnThread) struct SharedCacheTests {
    let folder = TemporaryFolder()
    private let capacity = 200_000

    /// Starts one of the processes, whose executable is built beside the tests.
    private func start(seed: Int, rounds: Int, limit: Int? = nil) throws -> pid_t {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let own = String(
            decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let path =
            own.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/cache-probe"
        let numbers = [capacity, seed, rounds] + (limit.map { [$0] } ?? [])
        let words = [path, folder.path] + numbers.map { String($0) }
        var pointers = words.map { strdup($0) } + [nil]
        defer { pointers.forEach { free($0) } }
        var process = pid_t()
        let failure = posix_spawn(&process, path, nil, nil, &pointers, environ)
        try #require(failure == 0, "\(path): \(String(cString: strerror(failure)))")
        return process
    }

    private func end(of process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }

    /// The total size of all files in bytes.
    private var total: Int {
        folder.names.reduce(0) { total, name in
            var status = stat()
            return lstat(folder.path + "/" + name, &status) == 0
                ? total + Int(status.st_size) : total
        }
    }

    @Test("writing, reading, removing and trimming processes see no torn entries; the budget holds")
    func processes() throws {
        let processes = try (1...6).map { try start(seed: $0, rounds: 1500) }
        #expect(processes.map(end) == Array(repeating: 0, count: 6))
        // Each counts only its own writes and rescans when those exceed the budget: six may do so at once.
        #expect(total <= 2 * capacity)
        let cache = DiskCache(folder: folder.path, capacity: capacity)
        cache.trim()
        #expect(total <= capacity)
        #expect(folder.names.allSatisfy { $0.utf8.count == 32 }, "\(folder.names)")
    }

    @Test("processes killed at any moment leave nothing that disturbs others")
    func killed() throws {
        let reader = try start(seed: 100, rounds: 3000)
        for seed in 1...30 {
            let writer = try start(seed: seed, rounds: 0)
            // Once it has written something, it is in the middle of its work; a look takes a moment.
            let deadline = SteadyClock.now + 300
            var looks = seed * 37 % 20
            while looks >= 0 {
                try #require(SteadyClock.now < deadline, "nothing is written")
                looks -= folder.names.isEmpty ? 0 : 1
            }
            kill(writer, SIGKILL)
            #expect(end(of: writer) & 0x7F == SIGKILL)
        }
        #expect(end(of: reader) == 0)
        #expect(end(of: try start(seed: 101, rounds: 500)) == 0)
        for name in folder.names where name.hasSuffix(".part") {
            folder.age(name, by: 7200)
        }
        DiskCache(folder: folder.path, capacity: capacity).trim()
        #expect(folder.names.allSatisfy { $0.utf8.count == 32 }, "\(folder.names)")
    }

    @Test("if no file can be written completely, nothing is stored and nothing left behind")
    func full() throws {
        #expect(end(of: try start(seed: 1, rounds: 500, limit: 20_000)) == 0)
        #expect(folder.names.allSatisfy { $0.utf8.count == 32 }, "\(folder.names)")
        #expect(end(of: try start(seed: 2, rounds: 500, limit: 10)) == 0)
        #expect(folder.names.allSatisfy { $0.utf8.count == 32 }, "\(folder.names)")
    }
}

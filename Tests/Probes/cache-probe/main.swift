import Glibc
import Pipeline

/// One of several processes that share a cache folder, for tests.
///
///     cache-probe FOLDER CAPACITY SEED ROUNDS [LIMIT]
///
/// Writes, reads and trims as often as ROUNDS says, in an order that SEED decides, and ends with 1 if it ever reads anything but what some
/// process wrote whole: a body tells its key, its writer and its own length in every word. With LIMIT no file can be longer than so many
/// bytes, as if the disk were full. ROUNDS of 0 go on until the process is killed.
let words = CommandLine.arguments.dropFirst()
guard words.count >= 4, let folder = words.first,
    case let numbers = words.dropFirst().compactMap({ Int($0) }), numbers.count == words.count - 1
else {
    exit(2)
}
if numbers.count > 3 {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: rlim_t(numbers[3]), rlim_max: rlim_t(numbers[3]))
    setrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &limit)
}
let cache = DiskCache(folder: folder, capacity: numbers[0])
var state = UInt64(numbers[1]) &* 0x9E37_79B9_7F4A_7C15 | 1

@MainActor func random(_ bound: Int) -> Int {
    // Xorshift (Marsaglia 2003).
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(bound))
}

/// `count` bytes that say of whom they are, what for, and how many.
func body(key: Int, count: Int, writer: Int) -> [UInt8] {
    let word = [
        UInt8(key), UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count),
    ]
    return (0..<count).map { $0 % 4 == 3 ? UInt8(writer) : word[$0 % 4] }
}

var round = 0
while numbers[2] == 0 || round < numbers[2] {
    round += 1
    let key = random(12)
    switch random(8) {
    case 0...3:
        let writer = numbers[1] & 0xFF
        let count = 4 + random(30_000)
        cache.write(
            DiskCache.Entry(
                metadata: [("writer", "\(writer)"), ("count", "\(count)")],
                body: body(key: key, count: count, writer: writer)),
            for: "key \(key)")
    case 4: cache.remove("key \(key)")
    case 5: cache.trim()
    default:
        guard let entry = cache.read("key \(key)") else { continue }
        let facts = entry.metadata.compactMap { Int($0.value) }
        guard facts.count == 2,
            entry.body == body(key: key, count: facts[1], writer: facts[0])
        else {
            exit(1)
        }
    }
}

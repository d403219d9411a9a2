import Pipeline

/// Servers' answers in memory and on disk, under one key each.
///
/// The disk methods block and belong on the queue `halftone.disk`; the memory ones may be called from every thread.
struct HTTPCache: Sendable {
    /// Recent answers, so that going back and sharing between stages costs no disk, in bytes.
    private static let memoryBytes = 16 << 20
    /// A single answer in memory is at most an eighth of that: one large picture must not push out a screen of thumbnails.
    private static let largestInMemory = memoryBytes / 8

    private let memory = MemoryCache<String, CachedAnswer>(capacity: memoryBytes)
    private let disk: DiskCache?

    init(options: NetworkOptions) {
        disk = options.cacheFolder.map { .init(folder: $0, capacity: options.cacheBytes) }
    }

    /// Whether there is a disk to ask.
    var hasDisk: Bool { disk != nil }

    /// What requests for the same bytes have in common; servers choose by the `Accept` header, so the purpose is part of it.
    static func key(of request: Request) -> String {
        (request.purpose == .page ? "page " : "picture ") + request.address.text
    }

    /// Whether an answer may be kept at all.
    static func isStorable(_ answer: TransferAnswer) -> Bool {
        answer.status == 200 && !CacheControl(answer.headers).forbidsStoring
            && !answer.headers.contains { $0.name == "vary" && $0.value.contains("*") }
    }

    func inMemory(_ key: String) -> CachedAnswer? { memory.value(for: key) }

    /// Keeps in memory.
    func remember(_ answer: CachedAnswer, for key: String) {
        guard answer.body.count <= Self.largestInMemory else { return memory.remove(key) }
        // Header fields and the name cost something too.
        memory.insert(answer, for: key, cost: answer.body.count + 2048)
    }

    /// Reads from disk; blocks.
    func onDisk(_ key: String) -> CachedAnswer? {
        disk?.read(key).flatMap { CachedAnswer($0) }
    }

    /// Writes to disk; blocks.
    func write(_ answer: CachedAnswer, for key: String) {
        disk?.write(answer.entry, for: key)
    }

    /// Forgets what may no longer be kept; blocks.
    func remove(_ key: String) {
        disk?.remove(key)
    }

    /// Forgets in memory.
    func forget(_ key: String) { memory.remove(key) }
}

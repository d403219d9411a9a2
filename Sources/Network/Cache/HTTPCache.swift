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
    /// What is not on the disk yet, the latest of each key: until then the disk would answer with what was there before.
    private let unwritten = Locked<[String: CachedAnswer]>([:])
    /// For which generation answers were fetched in this run, but for those that any will do for.
    private let generations = Locked<[String: CacheGeneration]>([:])
    private let options: NetworkOptions
    private let store: DiskStore

    init(options: NetworkOptions, store: DiskStore) {
        self.options = options
        self.store = store
    }

    /// What requests for the same bytes have in common; servers choose by the `Accept` header, so the purpose is part of it.
    static func key(of request: Request) -> String {
        switch request.purpose {
        case .page: "page " + request.address.text
        case .picture: "picture " + request.address.text
        case .data: "data " + request.address.text
        }
    }

    static func isStorable(_ answer: TransferAnswer) -> Bool {
        answer.status == 200 && !CacheControl(answer.headers).forbidsStoring
            && !answer.headers.contains { $0.name == "vary" && $0.value.contains("*") }
    }

    /// What `request` sends in the fields that the `headers` of an answer from `address` say it varies by.
    func varying(
        _ headers: HeaderFields, of request: Request, at address: Address
    ) -> VaryingFields {
        let names = headers.filter { $0.name == "vary" }.flatMap { field in
            field.value.lowercased().split { ", \t".contains($0) }.map(String.init)
        }
        guard !names.isEmpty else { return [:] }
        var sent = requestFields(of: request, to: address, options: options)
        sent.append(("User-Agent", options.userAgent))
        var varying: VaryingFields = [:]
        // Encodings are undone before anything is kept.
        for name in names where name != "accept-encoding" {
            let values = sent.filter { $0.name.lowercased() == name }.map(\.value)
            let hash = ContentHash(of: Array(values.joined(separator: ", ").utf8)).text
            varying[name] = values.isEmpty ? "" : String(hash.prefix(32))
        }
        return varying
    }

    /// Whether `answer` is what its server would choose for `request`.
    func isSameVariant(_ answer: CachedAnswer, for request: Request) -> Bool {
        guard !answer.varying.isEmpty else { return true }
        // Which cookies were sent is known to libcurl alone.
        let hasCookies =
            options.cookieFile != nil && options.sourceHosts.contains(answer.address.host)
        if hasCookies, answer.varying["cookie"] != nil { return false }
        return varying(answer.headers, of: request, at: answer.address) == answer.varying
    }

    /// For which generation the kept answer was fetched.
    func generation(of key: String) -> CacheGeneration { generations.withLock { $0[key] ?? .any } }

    /// Notes that an answer of `generation` will be kept; false if a later one is.
    func admit(_ generation: CacheGeneration, for key: String) -> Bool {
        generations.withLock { generations in
            guard generation >= generations[key] ?? .any else { return false }
            if generation > .any { generations[key] = generation }
            return true
        }
    }

    func inMemory(_ key: String) -> CachedAnswer? {
        memory.value(for: key) ?? unwritten.withLock { $0[key] }
    }

    /// Keeps in memory; what has no body there is not kept.
    func remember(_ answer: CachedAnswer, for key: String) {
        guard let body = answer.body, body.count <= Self.largestInMemory else {
            return memory.remove(key)
        }
        // Header fields and the name cost something too.
        memory.insert(answer, for: key, cost: body.count + 2048)
    }

    /// Keeps in memory and, a little later, on disk, unless something of a later generation is kept; on the coordinator's queue.
    func keep(_ answer: CachedAnswer, for key: String) {
        guard admit(answer.generation, for: key) else { return }
        remember(answer, for: key)
        guard store.cache != nil else { return }
        unwritten.withLock { $0[key] = answer }
        let isAccepted = store.later(holding: answer.body?.count ?? 0) { write(key, to: $0) }
        if !isAccepted {
            // What is there is out of date.
            unwritten.withLock { $0[key] = nil }
            store.later(holding: 0) { remove(key, from: $0) }
        }
    }

    /// Forgets what may no longer be kept; on the coordinator's queue.
    func drop(_ key: String) {
        memory.remove(key)
        unwritten.withLock { $0[key] = nil }
        store.later(holding: 0) { remove(key, from: $0) }
    }

    /// Reads from disk, a large body only if it is wanted; nil if there is nothing, or the body is gone.
    func onDisk(_ key: String, withBody isBodyWanted: Bool = true) -> CachedAnswer? {
        guard var answer = store.cache?.read(key).flatMap({ CachedAnswer($0) }) else { return nil }
        if isBodyWanted, answer.body == nil, let hash = answer.hash.known {
            guard let body = store.cache?.read(Self.bodyKey(hash))?.body,
                body.count == answer.length
            else { return nil }
            answer.body = body
        }
        return answer
    }

    /// Writes the latest answer, the body first, so that nothing names one that is not there.
    ///
    /// A body that is there already is not written again. Reads wait for the end of this on the same queue.
    private func write(_ key: String, to disk: DiskCache) {
        guard let answer = unwritten.withLock({ $0.removeValue(forKey: key) }) else { return }
        if answer.hasOwnBody {
            let bodyKey = Self.bodyKey(answer.hash.value)
            if !disk.touch(bodyKey), let body = answer.body {
                disk.write(DiskCache.Entry(metadata: [], body: body), for: bodyKey)
            }
        }
        disk.write(answer.entry, for: key)
    }

    private func remove(_ key: String, from disk: DiskCache) {
        let answer = onDisk(key, withBody: false)
        disk.remove(key)
        // Another address may have the same; it will then be fetched again.
        if let answer, answer.hasOwnBody, let hash = answer.hash.known {
            disk.remove(Self.bodyKey(hash))
        }
    }

    private static func bodyKey(_ hash: ContentHash) -> String { "body " + hash.text }
}

import Pipeline

/// A cache of server responses in memory and on disk.
///
/// The disk methods block and belong on the queue `halftone.disk`; the memory methods may be called from any thread.
struct HTTPCache: Sendable {
    /// The memory budget in bytes for recent responses, so that going back and sharing between stages need no disk access.
    private static let memoryBytes = 16 << 20
    /// The largest response kept in memory, in bytes: one large picture must not evict a screen of thumbnails.
    private static let maxBodyInMemory = memoryBytes / 8

    private let memory = MemoryCache<String, CachedAnswer>(capacity: memoryBytes)
    /// The latest response per key that is not on disk yet, or nil if the key is not removed from it yet: until then the disk would return
    /// the previous one.
    private let unwritten = Locked<[String: CachedAnswer?]>([:])
    /// The generations for which responses were fetched in this run, except for `.any`.
    private let generations = Locked<[String: CacheGeneration]>([:])
    private let options: NetworkOptions
    private let store: DiskStore

    init(options: NetworkOptions, store: DiskStore) {
        self.options = options
        self.store = store
    }

    /// Returns the key that requests for the same bytes share; servers choose by `Accept`, so the purpose is part of it.
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

    /// Returns what `request` sends in the fields by which, according to `headers`, the response from `address` varies.
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
        // Encodings are removed before a response is stored.
        for name in names where name != "accept-encoding" {
            let values = sent.filter { $0.name.lowercased() == name }.map(\.value)
            let hash = ContentHash(of: Array(values.joined(separator: ", ").utf8)).text
            varying[name] = values.isEmpty ? "" : String(hash.prefix(32))
        }
        return varying
    }

    /// Returns whether `answer` is the variant that its server would choose for `request`.
    func isSameVariant(_ answer: CachedAnswer, for request: Request) -> Bool {
        guard !answer.varying.isEmpty else { return true }
        // Only libcurl knows which cookies were sent.
        let hasCookies =
            options.cookieFile != nil && options.sourceHosts.contains(answer.address.host)
        if hasCookies, answer.varying["cookie"] != nil { return false }
        return varying(answer.headers, of: request, at: answer.address) == answer.varying
    }

    /// Returns the generation for which the cached response was fetched.
    func generation(of key: String) -> CacheGeneration { generations.withLock { $0[key] ?? .any } }

    /// Notes that a response of `generation` will be stored; false if one of a later generation is.
    func admit(_ generation: CacheGeneration, for key: String) -> Bool {
        generations.withLock { generations in
            guard generation >= generations[key] ?? .any else { return false }
            if generation > .any { generations[key] = generation }
            return true
        }
    }

    func inMemory(_ key: String) -> CachedAnswer? {
        memory.value(for: key) ?? unwritten.withLock { $0[key] ?? nil }
    }

    /// Returns whether a response has been stored or dropped that the disk does not know of yet.
    func isAhead(of key: String) -> Bool { unwritten.withLock { $0[key] != nil } }

    /// Stores a response from disk in memory, unless another has been stored, or this one dropped, since it was read.
    func recall(_ answer: CachedAnswer, for key: String) {
        unwritten.withLock { if $0[key] == nil { remember(answer, for: key) } }
    }

    /// Stores the response in memory; without a body, or with one that is too large, it is removed instead.
    private func remember(_ answer: CachedAnswer, for key: String) {
        guard let body = answer.body, body.count <= Self.maxBodyInMemory else {
            return memory.remove(key)
        }
        // Adds an estimate for the header fields and the key.
        memory.insert(answer, for: key, cost: body.count + 2048)
    }

    /// Stores in memory and, later, on disk, unless a later generation is stored; must be called on the coordinator's queue.
    func keep(_ answer: CachedAnswer, for key: String) {
        guard admit(answer.generation, for: key) else { return }
        defer { remember(answer, for: key) }
        guard store.cache != nil else { return }
        unwritten.withLock { $0[key] = answer }
        let isAccepted = store.later(holding: answer.body?.count ?? 0) { write(key, to: $0) }
        // The response on disk is out of date.
        if !isAccepted { dropFromDisk(key) }
    }

    /// Removes a response that must no longer be stored; must be called on the coordinator's queue.
    func drop(_ key: String) {
        dropFromDisk(key)
        memory.remove(key)
    }

    private func dropFromDisk(_ key: String) {
        guard store.cache != nil else { return }
        unwritten.withLock { _ = $0.updateValue(nil, forKey: key) }
        store.later(holding: 0) { remove(key, from: $0) }
    }

    /// Reads a response from disk, a large body only if wanted; nil if there is no response, or its body is gone.
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

    /// Writes the latest response, the body first, so that no entry refers to a missing one.
    ///
    /// A body that is already there is not written again. Reads on the same queue wait until this is finished.
    private func write(_ key: String, to disk: DiskCache) {
        let latest = unwritten.withLock { unwritten -> CachedAnswer? in
            guard let latest = unwritten[key] ?? nil else { return nil }
            unwritten[key] = nil
            return latest
        }
        guard let answer = latest else { return }
        if answer.hasOwnBody {
            let bodyKey = Self.bodyKey(answer.hash.value)
            if !disk.touch(bodyKey), let body = answer.body {
                disk.write(DiskCache.Entry(metadata: [], body: body), for: bodyKey)
            }
        }
        disk.write(answer.entry, for: key)
    }

    /// Removes a dropped response, unless another has been stored meanwhile.
    private func remove(_ key: String, from disk: DiskCache) {
        guard case .some(nil) = unwritten.withLock({ $0[key] }) else { return }
        let answer = onDisk(key, withBody: false)
        disk.remove(key)
        // Another address may share the body, which is then fetched again.
        if let answer, answer.hasOwnBody, let hash = answer.hash.known {
            disk.remove(Self.bodyKey(hash))
        }
        unwritten.withLock { if case .some(nil) = $0[key] { $0[key] = nil } }
    }

    private static func bodyKey(_ hash: ContentHash) -> String { "body " + hash.text }
}

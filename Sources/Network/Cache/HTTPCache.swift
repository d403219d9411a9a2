import Basics
import Pipeline
import Synchronization

/// A cache of server responses in memory and on disk; `onDisk` blocks and belongs on the queue `halftone.disk`.
@PipelineActor final class HTTPCache {
    /// A response that is not on disk yet or, without an answer, a removal that is not done yet: the disk still has the previous response.
    private final class PendingWrite: Sendable {
        let answer: CachedAnswer?
        /// Whether nothing newer has been stored or removed for the key, in which case this must not touch the disk any more.
        let isLatest = Atomic(true)

        init(_ answer: CachedAnswer?) { self.answer = answer }
    }

    /// The memory budget in bytes for recent responses, so that going back and sharing between stages need no disk access.
    private nonisolated static let memoryBytes = 16 << 20
    /// The largest response kept in memory, in bytes: one large picture must not evict a screen of thumbnails.
    private nonisolated static let maxBodyInMemory = memoryBytes / 8

    private let memory = MemoryCache<String, CachedAnswer>(capacity: memoryBytes)
    private var pending: [String: PendingWrite] = [:]
    /// The generations for which responses were fetched in this run, except for `.any`.
    private var generations: [String: CacheGeneration] = [:]
    private let options: NetworkOptions
    private let store: DiskStore

    nonisolated init(options: NetworkOptions, store: DiskStore) {
        self.options = options
        self.store = store
    }

    /// Returns the key that requests for the same bytes share; servers choose by `Accept`, so the purpose is part of it.
    nonisolated static func key(of request: Request) -> String {
        request.purpose.rawValue + " " + request.address.text + (request.part?.keySuffix ?? "")
    }

    nonisolated static func isStorable(_ answer: TransferAnswer) -> Bool {
        [200, 206].contains(answer.status) && !CacheControl(answer.headers).forbidsStoring
            && !answer.headers.contains { $0.name == "vary" && $0.value.contains("*") }
    }

    /// Returns what `request` sends in the fields by which, according to `headers`, the response from `address` varies.
    nonisolated func varying(
        _ headers: HeaderFields, of request: Request, at address: Address
    ) -> VaryingFields {
        let names = headers.filter { $0.name == "vary" }.flatMap { field in
            field.value.lowercased().split { ", \t".contains($0) }.map(String.init)
        }
        guard !names.isEmpty else { return [:] }
        var sent = requestFields(of: request, to: address, options: options)
        sent.append(("User-Agent", options.at(address.host).userAgent))
        var varying: VaryingFields = [:]
        // Encodings are removed before a response is stored.
        for name in names where name != "accept-encoding" {
            let values = sent.filter { $0.name.lowercased() == name }.map(\.value)
            let hash = ContentHash(of: values.joined(separator: ", ").bytes).text
            varying[name] = values.isEmpty ? "" : String(hash.prefix(32))
        }
        return varying
    }

    /// Returns whether `answer` is the variant that its server would choose for `request`.
    nonisolated func isSameVariant(_ answer: CachedAnswer, for request: Request) -> Bool {
        guard !answer.varying.isEmpty else { return true }
        // Only libcurl knows which cookies were sent.
        if answer.varying["cookie"] != nil { return false }
        return varying(answer.headers, of: request, at: answer.address) == answer.varying
    }

    /// Returns the generation for which the cached response was fetched.
    func generation(of key: String) -> CacheGeneration { generations[key] ?? .any }

    /// Notes that a response of `generation` will be stored; false if one of a later generation is.
    func admit(_ generation: CacheGeneration, for key: String) -> Bool {
        guard generation >= generations[key] ?? .any else { return false }
        if generation > .any { generations[key] = generation }
        return true
    }

    func inMemoryOrPending(_ key: String) -> CachedAnswer? {
        memory.value(for: key) ?? pending[key]?.answer
    }

    /// Returns whether a response has been stored or dropped that the disk does not know of yet.
    func isPending(_ key: String) -> Bool { pending[key] != nil }

    /// Stores a response in memory; without a body, or with one that is too large, it is removed instead.
    func keepInMemory(_ answer: CachedAnswer, for key: String) {
        guard let body = answer.body, body.count <= Self.maxBodyInMemory else {
            return memory.remove(key)
        }
        // Adds an estimate for the key and each header field.
        let fieldCount = answer.headers.reduce(2048) { $0 + $1.value.utf8.count + 64 }
        memory.insert(answer, for: key, cost: body.count + fieldCount)
    }

    /// Stores in memory and, later, on disk, unless a response of a later generation is stored.
    func keep(_ answer: CachedAnswer, for key: String) {
        guard admit(answer.generation, for: key) else { return }
        keepInMemory(answer, for: key)
        guard store.cache != nil else { return }
        let isAccepted = write(answer, for: key, holding: answer.body?.count ?? 0) { disk in
            // The body first, so that no entry refers to a missing one; one that is already there is not written again.
            if answer.hasOwnBody {
                let bodyKey = Self.bodyKey(answer.hash.value)
                if !disk.touch(bodyKey), let body = answer.body {
                    disk.write(DiskCache.Entry(metadata: [], body: body), for: bodyKey)
                }
            }
            disk.write(answer.entry, for: key)
        }
        // The response on disk is out of date.
        if !isAccepted { dropFromDisk(key) }
    }

    /// Removes a response that must no longer be stored.
    func drop(_ key: String) {
        dropFromDisk(key)
        memory.remove(key)
    }

    private func dropFromDisk(_ key: String) {
        guard store.cache != nil else { return }
        write(nil, for: key, holding: 0) { disk in
            let answer = self.onDisk(key, withBody: false)
            disk.remove(key)
            // Another address may share the body, which is then fetched again.
            if let answer, answer.hasOwnBody, let hash = answer.hash.known {
                disk.remove(Self.bodyKey(hash))
            }
        }
    }

    @discardableResult
    private func write(
        _ answer: CachedAnswer?, for key: String, holding bytes: Int,
        _ work: @escaping Receiver<DiskCache>
    ) -> Bool {
        let write = PendingWrite(answer)
        pending.updateValue(write, forKey: key)?.isLatest.store(false, ordering: .relaxed)
        return store.later(holding: bytes) { disk in
            if write.isLatest.load(ordering: .relaxed) { work(disk) }
        } then: {
            if self.pending[key] === write { self.pending[key] = nil }
        }
    }

    /// Reads a response from disk, a large body only if wanted; nil if there is no response, or its body is gone.
    nonisolated func onDisk(_ key: String, withBody isBodyWanted: Bool = true) -> CachedAnswer? {
        guard var answer = store.cache?.read(key).flatMap({ CachedAnswer($0) }) else { return nil }
        if isBodyWanted, answer.body == nil, let hash = answer.hash.known {
            guard let body = store.cache?.read(Self.bodyKey(hash))?.body,
                body.count == answer.length
            else { return nil }
            answer.body = body
        }
        return answer
    }

    private nonisolated static func bodyKey(_ hash: ContentHash) -> String { "body " + hash.text }
}

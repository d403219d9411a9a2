public import Pipeline

/// What is known of bytes without reading them.
extension Fetcher {
    /// Says what is known of the bytes that `fetch` would answer with: from the disk cache, where answers and files have their contents' hashes
    /// noted down.
    ///
    /// Nil without a disk cache, too.
    public func identify(
        _ request: Request, priority: Priority,
        completion: @escaping @Sendable (Result<ContentIdentity?, FetchError>) -> Void
    ) -> Subscription {
        coordinator.subscribe { [self] in
            identities.subscribe(
                to: request, priority: priority, start: { startIdentifying(request, $0) },
                receive: completion)
        }
    }

    private func startIdentifying(
        _ request: Request, _ job: Job<ContentIdentity?, FetchError>
    ) {
        // What may not be fetched is not known either.
        let isForbidden = request.address.isFile && !(request.referer?.isFile ?? true)
        let key = HTTPCache.key(of: request)
        let isOutdated = cache.generation(of: key) < request.generation && !options.isOffline
        guard let store = cache.disk, !isOutdated, !isForbidden else {
            return job.finish(.success(nil))
        }
        if let path = request.address.filePath {
            return job.run(on: disk) { .success(identityOfFile(at: path, in: store)) }
        }
        let recent = cache.inMemory(key)
        job.run(on: disk) { [self] in
            let answer = recent ?? cache.onDisk(key, withBody: false)
            return .success(
                answer.map { answer in
                    // Of a recent one it may still have to be worked out.
                    ContentIdentity(
                        hash: answer.hash.value, byteCount: answer.length,
                        isFresh: isUsable(answer, for: request))
                })
        }
    }

    // MARK: Files

    /// Notes down what the contents of a picture's file are called, so that it need not be read again.
    func remember(
        _ file: LocalFile, at path: String, as response: Response, for request: Request
    ) {
        guard let store = cache.disk, request.purpose == .picture, let identity = file.identity
        else { return }
        _ = cache.admit(request.generation, for: HTTPCache.key(of: request))
        disk.enqueue(priority: .idle) {
            // Read for the viewer, perhaps, and known for long.
            guard identityOfFile(at: path, in: store) == nil else { return }
            let record = FileRecord(identity: identity, hash: response.hash.value)
            store.write(record.entry, for: FileRecord.key(ofPath: path))
        } then: {
        }
    }
}

/// On the disk queue.
private func identityOfFile(at path: String, in store: DiskCache) -> ContentIdentity? {
    guard let identity = FileIdentity(path: path),
        let entry = store.read(FileRecord.key(ofPath: path)),
        let record = FileRecord(entry, for: identity)
    else { return nil }
    return ContentIdentity(hash: record.hash, byteCount: identity.size, isFresh: true)
}

import Basics
import Raster

@testable import Gallery
@testable import Network
@testable import Pipeline
@testable import Thumbnails

/// A reference a line, each relative to the address before it.
@Sendable func resolveAddresses(_ bytes: [UInt8]) {
    var base = fuzzedPage
    for reference in bytes.split(separator: 0x0A).prefix(100) {
        let text = String(decoding: reference, as: UTF8.self)
        var bytes = text
        let found = bytes.withUTF8(AddressResolver(base: base).resolve)
        guard let address = found else { continue }
        requireHarmless(address.text)
        let slowly = base.resolving(text)
        // libcurl joins double slashes in paths, and takes `/t:/` for a drive, which is none here; the server must be the same.
        demand(
            slowly.map { $0.origin == address.origin } ?? address.isFile,
            "\(text) is \(address) or \(slowly?.text ?? "none")")
        demand(Address(address.text) == address, "\(address) is not in normal form")
        _ = AddressHints(address).size
        requireHarmless(FileNameText.words(of: address))
        _ = isPrivateName(address.host) || isLocalName(address.host)
        base = address
    }
}

/// The head of an answer.
@Sendable func readHeaderFields(_ bytes: [UInt8]) {
    let fields = bytes.split(separator: 0x0A).prefix(100).compactMap {
        $0.withUnsafeBytes(headerField)
    }
    for field in fields {
        requireHarmless(field.name)
        requireHarmless(field.value)
    }
    let now = 1_800_000_000
    let answer = CachedAnswer(
        TransferAnswer(address: fuzzedPage, status: 200, headers: fields, body: [1]),
        storedAt: now - 1000, generation: .any, varying: [:])
    for purpose in [Request.Purpose.page, .picture] {
        _ = Freshness(sessionStart: now).isFresh(answer, for: purpose, at: now)
    }
    _ = Freshness(sessionStart: now).allowsStale(answer, after: .status(503), at: now)
    _ = answer.conditions(isSameVariant: true)
    _ = answer.confirmed(by: fields, at: now).response(from: .network, FetchTimings())
    demand(CachedAnswer(answer.entry)?.body == answer.body, "the answer is not kept")
    let policy = RetryPolicy()
    let asked = policy.seconds(ofRetryAfter: fields["retry-after"], now: now)
    for tries in 1...4 {
        let pause = policy.pause(afterTries: tries, asked: asked) ?? 0
        demand((0...policy.maxPause + policy.firstPause).contains(pause))
    }
    requireHarmless(policy.failure(status: 503, asked: asked).description)
    let part = PartialBody(
        headers: fields, body: [UInt8](repeating: 0, count: PartialBody.smallest), total: nil)
    if let part, let rest = part.rest(in: fields) {
        demand(rest.first == PartialBody.smallest && rest.last < rest.total)
    }
}

/// A cache file, once as it is and once with the checksum it should have.
@Sendable func readCacheFile(_ bytes: [UInt8]) {
    var bytes = bytes
    for _ in 1...2 {
        if let (key, entry) = CacheFile.parse(bytes) {
            let written = CacheFile.head(for: entry, key: key) + entry.body
            demand(CacheFile.parse(written)?.key == key, key)
            _ = CachedAnswer(entry).map { requireHarmless($0.address.text) }
            let picture = ReducedPictureEntry.picture(entry, generation: .any)
            if let pixels = picture?.pixels {
                demand(pixels.bytes.count == pixels.size.width * pixels.size.height * 4)
            }
        }
        CacheFile.sign(&bytes)
    }
}

extension CacheFile {
    /// Writes the right magic and checksum.
    fileprivate static func sign(_ file: inout [UInt8]) {
        let lengthAt = 16
        guard file.count >= lengthAt + 4 else { return }
        let length = file[lengthAt..<lengthAt + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
        guard lengthAt + 4 + length <= file.count else { return }
        let end = lengthAt + 4 + length
        let sum = checksum(of: file[lengthAt..<end], file[end...])
        let value = withUnsafeBytes(of: sum.littleEndian) { Array($0) }
        file.replaceSubrange(..<lengthAt, with: Array("HTcache2".utf8) + value)
    }
}

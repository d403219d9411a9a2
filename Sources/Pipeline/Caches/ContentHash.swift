import Basics
import CCrypto

/// Identifies bytes by their content, wherever they come from: their SHA-256 hash (FIPS 180-4).
///
/// The hash must be cryptographic because results derived from the bytes are looked up by it: with a weaker one, a server could craft a
/// file that passes for another server's. It costs 0.5 to 1 ms a megabyte, once per file.
public struct ContentHash: Hashable, Sendable {
    /// 64 hexadecimal digits.
    public let text: String

    /// Hashes `bytes`.
    public init(of bytes: [UInt8]) {
        var digest = [UInt8](repeating: 0, count: 32)
        let isDone = halftone_sha256(bytes, bytes.count, &digest)
        precondition(isDone == 1, "SHA-256 is in every libcrypto")
        text = digest.map { String(0x100 | Int($0), radix: 16).dropFirst() }.joined()
    }

    /// Creates a hash from its stored text; nil if that is malformed.
    public init?(text: String) {
        guard isHexadecimal(text, count: 64) else { return nil }
        self.text = text
    }
}

/// Returns whether `text` consists of `count` lower-case hexadecimal digits.
func isHexadecimal(_ text: some StringProtocol, count: Int) -> Bool {
    text.utf8.count == count && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
}

extension [UInt8] {
    /// These bytes in Base64 (RFC 4648, section 4).
    public var base64: [UInt8] {
        // libcrypto ends the text with a NUL.
        [UInt8](unsafeUninitializedCapacity: (count + 2) / 3 * 4 + 1) { text, length in
            length = Int(EVP_EncodeBlock(text.baseAddress, self, Int32(count)))
        }
    }
}

/// A hash that may never be needed: computed once, on the first thread that uses it.
public final class LazyContentHash: Sendable {
    private enum State {
        case pending(@Sendable () -> ContentHash)
        case known(ContentHash)
    }

    private let state: Locked<State>
    /// Held while the hash is computed, so that `known` never waits for that.
    private let computing = Locked(())

    /// Creates the hash of `bytes`, which are kept until it is computed.
    public convenience init(of bytes: [UInt8]) { self.init { ContentHash(of: bytes) } }

    /// Creates one from a known hash.
    public init(_ hash: ContentHash) { state = Locked(.known(hash)) }

    init(_ compute: @escaping @Sendable () -> ContentHash) { state = Locked(.pending(compute)) }

    /// The hash; computing it may take milliseconds, and other threads that ask for it wait meanwhile.
    public var value: ContentHash {
        if let known { return known }
        return computing.withLock { _ in
            switch state.current {
            case .known(let hash): return hash
            case .pending(let compute):
                let hash = compute()
                state.withLock { $0 = .known(hash) }
                return hash
            }
        }
    }

    /// The hash; nil if it has not been computed yet.
    ///
    /// Returns at once.
    public var known: ContentHash? {
        state.withLock { state in
            if case .known(let hash) = state { hash } else { nil }
        }
    }
}

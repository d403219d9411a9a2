import CCrypto

/// What bytes are called wherever they come from: their SHA-256 (FIPS 180-4).
///
/// A cryptographic one, as what was made from some bytes is found again by it: with a weaker one, a server could make a file that passes
/// for another server's. It costs 0.5 to 1 ms a megabyte, once a file.
public struct ContentHash: Hashable, Sendable {
    /// 64 hexadecimal digits.
    public let text: String

    /// Hashes `bytes`.
    public init(of bytes: [UInt8]) {
        var digest = [UInt8](repeating: 0, count: 32)
        let isDone = bytes.withUnsafeBytes { buffer in
            halftone_sha256(buffer.baseAddress, buffer.count, &digest)
        }
        precondition(isDone == 1, "SHA-256 is in every libcrypto")
        let digits = Array("0123456789abcdef".utf8)
        text = String(
            decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
            as: UTF8.self)
    }

    /// One that was written down; nil if that is not one.
    public init?(text: String) {
        guard isHexadecimal(text, count: 64) else { return nil }
        self.text = text
    }
}

/// Whether `text` is `count` hexadecimal digits in lower case.
func isHexadecimal(_ text: some StringProtocol, count: Int) -> Bool {
    text.utf8.count == count && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
}

/// The hash of bytes that may never be asked for: worked out on the thread that asks first, and once.
public final class LazyContentHash: Sendable {
    private enum State {
        case bytes([UInt8])
        case known(ContentHash)
    }

    private let state: Locked<State>

    /// The hash of `bytes`, which are kept until it is worked out.
    public init(of bytes: [UInt8]) { state = Locked(.bytes(bytes)) }

    /// One that is known.
    public init(_ hash: ContentHash) { state = Locked(.known(hash)) }

    /// The hash; may take milliseconds.
    public var value: ContentHash {
        state.withLock { state in
            switch state {
            case .known(let hash): return hash
            case .bytes(let bytes):
                let hash = ContentHash(of: bytes)
                state = .known(hash)
                return hash
            }
        }
    }

    /// The hash if it has been worked out.
    public var known: ContentHash? {
        state.withLock { state in
            if case .known(let hash) = state { hash } else { nil }
        }
    }
}

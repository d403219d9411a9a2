extension Address {
    /// Equal if the texts are.
    public static func == (left: Address, right: Address) -> Bool {
        left.text == right.text
    }

    /// Hashes a digest of the text: a page of 20,000 pictures asks for 200,000 of them, and SipHash takes a byte at a time.
    public func hash(into hasher: inout Hasher) {
        var text = text
        hasher.combine(text.withUTF8 { digest(UnsafeRawBufferPointer($0)) })
    }
}

/// Another value in each run, so that nobody can write a page whose addresses all collide.
private let seed = UInt64.random(in: .min ... .max)

/// Eight bytes at a time, each folded by a 64×64-bit product, as wyhash does (https://github.com/wangyi-fudan/wyhash).
private func digest(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = seed ^ UInt64(truncatingIfNeeded: bytes.count)
    var at = 0
    while at + 8 <= bytes.count {
        hash = folded(hash, bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
        at += 8
    }
    var tail: UInt64 = 0
    for byte in bytes[at...] { tail = tail << 8 | UInt64(byte) }
    return folded(hash, tail)
}

private func folded(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let product = (hash ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(
        by: word ^ 0xE703_7ED1_A0B4_28DB)
    return product.high ^ product.low
}

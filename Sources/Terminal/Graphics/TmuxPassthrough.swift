/// Passes sequences through tmux to its terminal, if its option `allow-passthrough` permits that.
enum TmuxPassthrough {
    /// Returns `bytes` as a passthrough string, in which escape characters are doubled.
    static func wrapped(_ bytes: [UInt8]) -> [UInt8] {
        var wrapped = Array("\u{1B}Ptmux;".utf8)
        wrapped.reserveCapacity(bytes.count + 16)
        for byte in bytes {
            if byte == 0x1B { wrapped.append(byte) }
            wrapped.append(byte)
        }
        return wrapped + end
    }

    /// Ends a truncated string, even if its last byte was the first of two escape characters.
    static let afterCut = end + end

    private static let end: [UInt8] = [0x1B, UInt8(ascii: "\\")]
}

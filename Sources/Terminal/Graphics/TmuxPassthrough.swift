/// Hands sequences through tmux to the terminal that it is shown in, where its option `allow-passthrough` lets it.
enum TmuxPassthrough {
    /// `bytes` as a string of tmux's own, in which escape characters stand twice.
    static func wrapped(_ bytes: [UInt8]) -> [UInt8] {
        var wrapped = Array("\u{1B}Ptmux;".utf8)
        wrapped.reserveCapacity(bytes.count + 16)
        for byte in bytes {
            if byte == 0x1B { wrapped.append(byte) }
            wrapped.append(byte)
        }
        return wrapped + end
    }

    /// Ends a string that was cut off, if its last byte was the first of two escape characters, too.
    static let afterCut = end + end

    private static let end: [UInt8] = [0x1B, UInt8(ascii: "\\")]
}

/// Asks the terminal to take a text into the clipboard: OSC 52, as xterm's control sequences define it.
///
/// Works over SSH; a terminal that does not know or allow it ignores it.
enum ClipboardSequence {
    /// The bytes for `text`.
    static func bytes(_ text: String) -> [UInt8] {
        Array("\u{1B}]52;c;\(Base64.encode(Array(text.utf8)))\u{7}".utf8)
    }
}

/// Texts with marks as pages and file names bring them, and what a terminal is to show of them.
public enum MarkedTexts {
    /// Each text, and what is shown.
    public static let samples: [(text: String, shown: String)] = [
        ("Mu\u{308}ller", "Mu\u{308}ller"), ("plain", "plain"), ("หน้าที่", "หน้าที่"),
        ("हिन्दी चीज़ें", "हिन्दी चीज़ें"), ("می\u{200C}خواهم", "می\u{200C}خواهم"),
        (
            "Za" + String(repeating: "\u{308}\u{30A}", count: 300) + "lgo",
            "Za\u{308}\u{30A}\u{308}\u{30A}lgo"
        ),
        ("abc\u{202E}cba\u{2066}\u{200F}x", "abccbax"), ("日\u{308}本", "日\u{308}本"),
        ("👩\u{200D}👧 ❤\u{FE0F}", "👩👧 ❤"),
    ]

    /// Where a sign stands behind each text, to show that nothing has moved.
    public static let column = 20
    /// That sign.
    public static let sign = "|"

    /// The rows of the screen at `step`: the texts go round, so that each row changes.
    public static func rows(step: Int) -> [(text: String, shown: String)] {
        samples.indices.map { samples[($0 + step) % samples.count] }
    }
}

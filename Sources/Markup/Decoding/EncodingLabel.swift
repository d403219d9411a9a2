/// The labels a page may use for its encoding (https://encoding.spec.whatwg.org/#names-and-labels), the ones seen in practice.
///
/// Closed on purpose: no name from a page reaches iconv, which would look for modules by it.
enum EncodingLabel {
    /// The encoding with that label, in any case; nil if there is none.
    static func encoding(named label: String) -> Encoding? {
        let blanks: Set<Character> = [" ", "\t", "\n", "\r", "\u{0C}", "\"", "'"]
        var label = label.lowercased()[...]
        while let first = label.first, blanks.contains(first) { label.removeFirst() }
        while let last = label.last, blanks.contains(last) { label.removeLast() }
        if label == "utf-8" || label == "utf8" || label == "unicode-1-1-utf-8" { return .utf8 }
        if latin1.contains(String(label)) { return .windows1252 }
        return others[String(label)].map { Encoding(name: $0.0, converter: $0.1) }
    }

    /// The standard reads all of these as windows-1252.
    private static let latin1: Set<String> = [
        "windows-1252", "cp1252", "x-cp1252", "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1",
        "l1", "ascii", "us-ascii", "ansi_x3.4-1968", "iso88591",
    ]

    private static let others: [String: (String, String)] = {
        var table: [String: (String, String)] = [
            "shift_jis": ("shift_jis", "CP932"), "shift-jis": ("shift_jis", "CP932"),
            "sjis": ("shift_jis", "CP932"), "x-sjis": ("shift_jis", "CP932"),
            "ms_kanji": ("shift_jis", "CP932"), "windows-31j": ("shift_jis", "CP932"),
            "euc-jp": ("euc-jp", "EUC-JP"), "x-euc-jp": ("euc-jp", "EUC-JP"),
            "iso-2022-jp": ("iso-2022-jp", "ISO-2022-JP"),
            "euc-kr": ("euc-kr", "CP949"), "ks_c_5601-1987": ("euc-kr", "CP949"),
            "ksc5601": ("euc-kr", "CP949"), "korean": ("euc-kr", "CP949"),
            "windows-949": ("euc-kr", "CP949"), "cp949": ("euc-kr", "CP949"),
            "gb2312": ("gbk", "GB18030"), "gbk": ("gbk", "GB18030"), "x-gbk": ("gbk", "GB18030"),
            "gb_2312-80": ("gbk", "GB18030"), "gb18030": ("gb18030", "GB18030"),
            "big5": ("big5", "BIG5-HKSCS"), "big5-hkscs": ("big5", "BIG5-HKSCS"),
            "koi8-r": ("koi8-r", "KOI8-R"), "koi8-u": ("koi8-u", "KOI8-U"),
            "utf-16": ("utf-16le", "UTF-16LE"), "utf-16le": ("utf-16le", "UTF-16LE"),
            "utf-16be": ("utf-16be", "UTF-16BE"), "macintosh": ("macintosh", "MACINTOSH"),
            "tis-620": ("windows-874", "CP874"), "windows-874": ("windows-874", "CP874"),
            "latin2": ("iso-8859-2", "ISO-8859-2"),
            // Turkish Latin: read as the Windows superset, as the standard wants.
            "iso-8859-9": ("windows-1254", "CP1254"), "latin5": ("windows-1254", "CP1254"),
        ]
        for part in [2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16] {
            table["iso-8859-\(part)"] = ("iso-8859-\(part)", "ISO-8859-\(part)")
        }
        for page in [1250, 1251, 1253, 1254, 1255, 1256, 1257, 1258] {
            table["windows-\(page)"] = ("windows-\(page)", "CP\(page)")
            table["cp\(page)"] = ("windows-\(page)", "CP\(page)")
        }
        return table
    }()
}

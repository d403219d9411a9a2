import Testing

@testable import Gallery

/// Text without case and diacritics.
@Suite struct FoldedTextTests {
    @Test(
        "case and diacritics are ignored, composed or decomposed",
        arguments: [
            ("Éclair", "eclair"), ("E\u{301}CLAIR", "eclair"), ("Straße", "strasse"),
            ("Tiếng Việt", "tieng viet"), ("ŁÓDŹ", "lodz"), ("smørrebrød", "smorrebrod"),
            ("東京", "東京"), ("Ångström", "angstrom"), ("ñandú 2", "nandu 2"), ("МОСКВА", "москва"),
        ])
    func folding(text: String, folded: String) {
        #expect(FoldedText(text).bytes == Array(folded.utf8))
    }

    @Test("a substring is found anywhere, an empty one everywhere")
    func containing() {
        let text = FoldedText("aab Crème brûlée")
        for part in ["AAB", "ab", "BRULEE", "è", ""] {
            #expect(text.contains(FoldedText(part)), "\(part)")
        }
        #expect(!text.contains(FoldedText("brulees")))
        #expect(!FoldedText("").contains(FoldedText("a")))
    }
}

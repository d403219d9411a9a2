/// Documents in PDF, written object by object.
public enum PDFFile {
    /// A page of a document.
    public struct Page: Sendable {
        /// The size in points.
        public var width = 200, height = 100
        /// What draws it, where `/F` is Helvetica, and `/I` the first of the document's further objects.
        public var content: String

        /// A page that is drawn by `content`.
        public init(width: Int = 200, height: Int = 100, _ content: String) {
            (self.width, self.height, self.content) = (width, height, content)
        }

        /// A page of one colour, given by red, green and blue from 0 to 1.
        public static func filled(_ red: Double, _ green: Double, _ blue: Double) -> Page {
            Page("\(red) \(green) \(blue) rg 0 0 2000 2000 re f")
        }

        /// A page with a line of text.
        public static func saying(_ text: String) -> Page {
            Page("BT /F 24 Tf 10 40 Td (\(text)) Tj ET")
        }
    }

    /// The number of the object of the first page, and of further ones after those of all pages, which take two each.
    public static let firstPage = 4

    /// Returns a document of these pages, with further objects, with other entries of the page tree, and further ones of the trailer.
    public static func make(
        _ pages: [Page], objects further: [String] = [], tree: String? = nil, trailer: String = ""
    ) -> [UInt8] {
        let numbers = pages.indices.map { firstPage + 2 * $0 }
        let kids = numbers.map { "\($0) 0 R" }.joined(separator: " ")
        var objects = [
            "<</Type/Catalog/Pages 2 0 R>>",
            "<</Type/Pages\(tree ?? "/Count \(pages.count)/Kids[\(kids)]")>>",
            "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        ]
        for (page, number) in zip(pages, numbers) {
            objects.append(
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 \(page.width) \(page.height)]"
                    + "/Contents \(number + 1) 0 R"
                    + "/Resources<</Font<</F 3 0 R>>/XObject<</I \(firstPage + 2 * pages.count) 0 R>>>>>>"
            )
            objects.append(
                "<</Length \(page.content.utf8.count)>>stream\n\(page.content)\nendstream")
        }
        objects += further
        var text = "%PDF-1.4\n"
        var places: [Int] = []
        for (index, object) in objects.enumerated() {
            places.append(text.utf8.count)
            text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
        }
        let table = text.utf8.count
        text += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for place in places {
            let digits = String(place)
            text += String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n"
        }
        text += "trailer\n<</Size \(objects.count + 1)/Root 1 0 R\(trailer)>>\n"
        return Array((text + "startxref\n\(table)\n%%EOF\n").utf8)
    }

    /// Entries of the trailer that say that a password is needed.
    public static var encrypted: String {
        let key = "<" + String(repeating: "5A", count: 32) + ">"
        let name = "<00112233445566778899AABBCCDDEEFF>"
        return "/Encrypt<</Filter/Standard/V 1/R 2/P -4/O\(key)/U\(key)>>/ID[\(name)\(name)]"
    }
}

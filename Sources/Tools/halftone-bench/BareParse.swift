import CLibXML

/// The cost of parsing in libxml2 alone, as a baseline for benchmarks.
enum BareParse {
    /// Those of the product's parser.
    private static let options = Int32(
        HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NONET.rawValue | HTML_PARSE_NOERROR.rawValue
            | HTML_PARSE_NOWARNING.rawValue | HTML_PARSE_IGNORE_ENC.rawValue)

    /// Builds libxml2's own document from UTF-8 `bytes` and releases it; false on failure.
    static func document(of bytes: [UInt8]) -> Bool {
        xmlInitParser()
        let document = bytes.withUnsafeBytes { page in
            htmlReadMemory(
                page.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(page.count), nil,
                "UTF-8", options)
        }
        xmlFreeDoc(document)
        return document != nil
    }

    /// Returns the number of start, end and text events that the push parser reports for UTF-8 `bytes`, to handlers that only count them.
    static func events(in bytes: [UInt8]) -> Int {
        var handlers = htmlSAXHandler()
        handlers.startElement = { user, _, _ in BareParse.count(user) }
        handlers.endElement = { user, _ in BareParse.count(user) }
        handlers.characters = { user, _, _ in BareParse.count(user) }
        handlers.cdataBlock = handlers.characters
        var events = 0
        withUnsafeMutablePointer(to: &events) { events in
            let context = htmlCreatePushParserCtxt(
                &handlers, events, nil, 0, nil, XML_CHAR_ENCODING_UTF8)
            htmlCtxtUseOptions(context, options)
            bytes.withUnsafeBytes { page in
                let text = page.bindMemory(to: CChar.self)
                // In chunks of the product's size.
                for start in stride(from: 0, to: text.count, by: 16 << 10) {
                    let piece = text[start..<min(start + 16 << 10, text.count)]
                    htmlParseChunk(
                        context, UnsafeBufferPointer(rebasing: piece).baseAddress,
                        Int32(piece.count), 0)
                }
            }
            htmlParseChunk(context, nil, 0, 1)
            htmlFreeParserCtxt(context)
        }
        return events
    }

    private static func count(_ user: UnsafeMutableRawPointer?) {
        user?.assumingMemoryBound(to: Int.self).pointee += 1
    }
}

import CLibXML

/// What reading a page costs libxml2 alone, for the benchmarks to compare with.
package enum BareParse {
    /// Makes libxml2's own document of UTF-8 `bytes`, and drops it; false if it refuses.
    package static func document(of bytes: [UInt8]) -> Bool {
        xmlInitParser()
        let document = bytes.withUnsafeBytes { page in
            htmlReadMemory(
                page.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(page.count), nil,
                "UTF-8", HTMLParser.options)
        }
        xmlFreeDoc(document)
        return document != nil
    }

    /// Elements, ends and runs of text that the push parser reports for UTF-8 `bytes`, handed over as `HTMLParser` does, to handlers that
    /// only count.
    package static func events(in bytes: [UInt8]) -> Int {
        xmlInitParser()
        var handlers = htmlSAXHandler()
        handlers.startElement = { user, _, _ in BareParse.count(user) }
        handlers.endElement = { user, _ in BareParse.count(user) }
        handlers.characters = { user, _, _ in BareParse.count(user) }
        handlers.cdataBlock = handlers.characters
        var events = 0
        withUnsafeMutablePointer(to: &events) { events in
            bytes.withUnsafeBufferPointer { page in
                HTMLParser.push(page, kept: [0..<page.count], handlers: &handlers, user: events)
            }
        }
        return events
    }

    private static func count(_ user: UnsafeMutableRawPointer?) {
        user?.assumingMemoryBound(to: Int.self).pointee += 1
    }
}

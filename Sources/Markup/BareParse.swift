import CLibXML

/// libxml2's push parser with handlers that only count: what reading a page costs at the least, for the benchmarks to compare with.
package enum BareParse {
    /// Elements, ends and runs of text that the parser reports for UTF-8 `bytes`, handed over as `HTMLParser` does.
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

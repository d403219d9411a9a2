import CLibXML

/// libxml2's push parser for HTML, reporting to a `TreeBuilder`.
///
/// Its own tree stops at depth 256 and costs twice the time; the events have no depth limit and never recurse.
enum HTMLParser {
    /// Must run once before other threads use the library.
    private static let prepared: Void = xmlInitParser()

    /// Bytes handed over at once; larger pieces gain nothing.
    private static let chunk = 16 << 10

    /// The encoding is decided: what a meta element claims no longer counts.
    static let options = Int32(
        HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NONET.rawValue
            | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
            | HTML_PARSE_IGNORE_ENC.rawValue)

    /// Parses UTF-8 without NUL bytes.
    static func parse(_ bytes: [UInt8]) -> Tree {
        _ = prepared
        var builder = TreeBuilder(expectedBytes: bytes.count)
        bytes.withUnsafeBufferPointer { page in
            feed(page, kept: TagGuard.rangesToKeep(of: page), to: &builder)
        }
        return builder.finish()
    }

    private static func feed(
        _ page: UnsafeBufferPointer<UInt8>, kept: [Range<Int>], to builder: inout TreeBuilder
    ) {
        var events = callbacks()
        withUnsafeMutablePointer(to: &builder) { builder in
            push(page, kept: kept, handlers: &events, user: builder)
        }
    }

    /// Runs the push parser over the kept parts of a page; `user` is what the handlers are called with.
    static func push(
        _ page: UnsafeBufferPointer<UInt8>, kept: [Range<Int>], handlers: inout htmlSAXHandler,
        user: UnsafeMutableRawPointer
    ) {
        guard
            let context = htmlCreatePushParserCtxt(
                &handlers, user, nil, 0, nil, XML_CHAR_ENCODING_UTF8)
        else { return }
        defer { htmlFreeParserCtxt(context) }
        htmlCtxtUseOptions(context, options)
        for range in kept {
            push(UnsafeBufferPointer(rebasing: page[range]), into: context)
        }
        htmlParseChunk(context, nil, 0, 1)
    }

    private static func push(_ bytes: UnsafeBufferPointer<UInt8>, into context: htmlParserCtxtPtr) {
        var offset = 0
        while offset < bytes.count {
            let count = min(chunk, bytes.count - offset)
            let piece = UnsafeRawPointer(bytes.baseAddress.map { $0 + offset })
            htmlParseChunk(context, piece?.assumingMemoryBound(to: CChar.self), Int32(count), 0)
            offset += count
        }
    }

    /// The events that matter.
    ///
    /// Everything else, errors above all, stays unset and is dropped by the library.
    private static func callbacks() -> htmlSAXHandler {
        var events = htmlSAXHandler()
        events.startElement = { user, name, values in
            guard let user, let name else { return }
            HTMLParser.builder(user).pointee.startElement(name, values)
        }
        events.endElement = { user, _ in
            guard let user else { return }
            HTMLParser.builder(user).pointee.endElement()
        }
        events.characters = { user, text, count in
            guard let user, let text, count > 0 else { return }
            HTMLParser.builder(user).pointee.characters(text, count: Int(count))
        }
        // Scripts and styles come this way.
        events.cdataBlock = events.characters
        return events
    }

    private static func builder(
        _ user: UnsafeMutableRawPointer
    ) -> UnsafeMutablePointer<TreeBuilder> {
        user.assumingMemoryBound(to: TreeBuilder.self)
    }
}

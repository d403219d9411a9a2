import Basics
import CLibXML

/// libxml2's push parsers for HTML and XML, which report to a `TreeBuilder`.
///
/// libxml2's own tree stops at depth 256 and takes twice as long; its events have no depth limit and never recurse. Entities declared in a
/// document are never expanded and nothing outside it is read: declarations are ignored.
enum MarkupParser {
    private typealias ParseChunk = (xmlParserCtxtPtr?, UnsafePointer<CChar>?, Int32, Int32) -> Int32

    /// Initialises the library; must run once before other threads use it.
    private static let prepared: Void = xmlInitParser()

    /// Bytes passed to the parser at once; larger chunks gain nothing.
    private static let chunk = 16 << 10

    /// The encoding is already determined: a declaration in a meta element is ignored.
    fileprivate static let htmlOptions = Int32(
        HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NONET.rawValue | HTML_PARSE_NOERROR.rawValue
            | HTML_PARSE_NOWARNING.rawValue | HTML_PARSE_IGNORE_ENC.rawValue)

    private static let xmlOptions = Int32(
        XML_PARSE_RECOVER.rawValue | XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue
            | XML_PARSE_NOWARNING.rawValue | XML_PARSE_IGNORE_ENC.rawValue)

    /// Parses UTF-8 without NUL bytes.
    static func tree(ofHTML bytes: [UInt8]) -> Tree {
        var builder = TreeBuilder(expectedBytes: bytes.count)
        var events = treeEvents()
        bytes.withUnsafeBufferPointer { page in
            withUnsafeMutablePointer(to: &builder) { builder in
                push(page, kept: TagGuard.rangesToKeep(of: page), &events, user: builder) {
                    builder.pointee.mayTake($0)
                }
            }
        }
        return builder.finish()
    }

    /// Parses UTF-8 without NUL bytes, up to the first unrecoverable error; names keep their prefixes (`media:content`) and their case.
    static func tree(ofXML bytes: [UInt8]) -> Tree {
        _ = prepared
        var builder = TreeBuilder(expectedBytes: bytes.count)
        var events = treeEvents()
        withUnsafeMutablePointer(to: &builder) { builder in
            guard let context = xmlCreatePushParserCtxt(&events, builder, nil, 0, nil) else {
                return
            }
            defer { xmlFreeParserCtxt(context) }
            xmlCtxtUseOptions(context, xmlOptions)
            bytes.withUnsafeBufferPointer {
                _ = push($0, into: context, xmlParseChunk) { builder.pointee.mayTake($0) }
            }
            xmlParseChunk(context, nil, 0, 1)
        }
        return builder.finish()
    }

    /// Runs the HTML parser over the kept parts of a page; `user` is passed to the handlers.
    fileprivate static func push(
        _ page: Bytes, kept: [Range<Int>], _ events: inout htmlSAXHandler,
        user: UnsafeMutableRawPointer, while mayTake: (Bytes) -> Bool
    ) {
        _ = prepared
        guard
            let context = htmlCreatePushParserCtxt(
                &events, user, nil, 0, nil, XML_CHAR_ENCODING_UTF8)
        else { return }
        defer { htmlFreeParserCtxt(context) }
        htmlCtxtUseOptions(context, htmlOptions)
        for range in kept {
            let part = UnsafeBufferPointer(rebasing: page[range])
            guard push(part, into: context, htmlParseChunk, while: mayTake) else { break }
        }
        htmlParseChunk(context, nil, 0, 1)
    }

    /// Passes the bytes to the parser in chunks, as long as `mayTake` accepts the next one; returns whether all were accepted.
    private static func push(
        _ bytes: Bytes, into context: xmlParserCtxtPtr, _ parse: ParseChunk,
        while mayTake: (Bytes) -> Bool
    ) -> Bool {
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            let piece = UnsafeBufferPointer(
                rebasing: bytes[start..<min(start + chunk, bytes.count)])
            guard mayTake(piece) else { return false }
            piece.withMemoryRebound(to: CChar.self) {
                _ = parse(context, $0.baseAddress, Int32($0.count), 0)
            }
        }
        return true
    }

    /// The events that matter; all others, above all errors, stay unset and are dropped by the library.
    private static func treeEvents() -> xmlSAXHandler {
        var events = xmlSAXHandler()
        events.startElement = { user, name, values in
            guard let name else { return }
            MarkupParser.builder(user)?.pointee.startElement(name, values)
        }
        events.endElement = { user, _ in MarkupParser.builder(user)?.pointee.endElement() }
        events.characters = { user, text, count in
            guard let text, count > 0 else { return }
            MarkupParser.builder(user)?.pointee.characters(text, count: Int(count))
        }
        // The contents of scripts and styles are reported as CDATA.
        events.cdataBlock = events.characters
        return events
    }

    private static func builder(
        _ user: UnsafeMutableRawPointer?
    ) -> UnsafeMutablePointer<TreeBuilder>? {
        user?.assumingMemoryBound(to: TreeBuilder.self)
    }
}

/// The cost of parsing in libxml2 alone, as a baseline for benchmarks.
package enum BareParse {
    /// Builds libxml2's own document from UTF-8 `bytes` and releases it; false on failure.
    package static func document(of bytes: [UInt8]) -> Bool {
        xmlInitParser()
        let document = bytes.withUnsafeBytes { page in
            htmlReadMemory(
                page.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(page.count), nil,
                "UTF-8", MarkupParser.htmlOptions)
        }
        xmlFreeDoc(document)
        return document != nil
    }

    /// Returns the number of start, end and text events that the push parser reports for UTF-8 `bytes`, to handlers that only count them.
    package static func events(in bytes: [UInt8]) -> Int {
        var handlers = htmlSAXHandler()
        handlers.startElement = { user, _, _ in BareParse.count(user) }
        handlers.endElement = { user, _ in BareParse.count(user) }
        handlers.characters = { user, _, _ in BareParse.count(user) }
        handlers.cdataBlock = handlers.characters
        var events = 0
        bytes.withUnsafeBufferPointer { page in
            withUnsafeMutablePointer(to: &events) { events in
                MarkupParser.push(page, kept: [0..<page.count], &handlers, user: events) { _ in true
                }
            }
        }
        return events
    }

    private static func count(_ user: UnsafeMutableRawPointer?) {
        user?.assumingMemoryBound(to: Int.self).pointee += 1
    }
}

import CLibXML

/// libxml2's push parser for XML, reporting to a `TreeBuilder`; names keep their prefixes (`media:content`) and their case.
///
/// Entities that a document declares are never expanded and nothing outside is ever read: no declaration is listened to.
enum XMLParser {
    private static let prepared: Void = xmlInitParser()

    /// Bytes handed over at once.
    private static let chunk = 16 << 10

    /// Parses UTF-8 without NUL bytes, up to the first error that cannot be forgiven.
    static func parse(_ bytes: [UInt8]) -> Tree {
        _ = prepared
        var builder = TreeBuilder(expectedBytes: bytes.count)
        var events = callbacks()
        withUnsafeMutablePointer(to: &builder) { builder in
            guard let context = xmlCreatePushParserCtxt(&events, builder, nil, 0, nil) else {
                return
            }
            defer { xmlFreeParserCtxt(context) }
            let options =
                XML_PARSE_RECOVER.rawValue | XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue
                | XML_PARSE_NOWARNING.rawValue | XML_PARSE_IGNORE_ENC.rawValue
            xmlCtxtUseOptions(context, Int32(options))
            bytes.withUnsafeBytes { push($0, into: context) }
            xmlParseChunk(context, nil, 0, 1)
        }
        return builder.finish()
    }

    private static func push(_ bytes: UnsafeRawBufferPointer, into context: xmlParserCtxtPtr) {
        var offset = 0
        while offset < bytes.count {
            let count = min(chunk, bytes.count - offset)
            let piece = bytes.baseAddress.map { $0 + offset }
            xmlParseChunk(context, piece?.assumingMemoryBound(to: CChar.self), Int32(count), 0)
            offset += count
        }
    }

    private static func callbacks() -> xmlSAXHandler {
        var events = xmlSAXHandler()
        events.startElement = { user, name, values in
            guard let user, let name else { return }
            XMLParser.builder(user).pointee.startElement(name, values)
        }
        events.endElement = { user, _ in
            guard let user else { return }
            XMLParser.builder(user).pointee.endElement()
        }
        events.characters = { user, text, count in
            guard let user, let text, count > 0 else { return }
            XMLParser.builder(user).pointee.characters(text, count: Int(count))
        }
        events.cdataBlock = events.characters
        return events
    }

    private static func builder(
        _ user: UnsafeMutableRawPointer
    ) -> UnsafeMutablePointer<TreeBuilder> {
        user.assumingMemoryBound(to: TreeBuilder.self)
    }
}

import Basics
import CLibXML

/// libxml2's push parsers for HTML and XML, which report to a `TreeBuilder`.
///
/// libxml2's own tree stops at depth 256 and takes twice as long; its events have no depth limit and never recurse. Entities declared in a
/// document are never expanded and nothing outside it is read: declarations are ignored.
enum MarkupParser {
    /// Initialises the library; must run once before other threads use it.
    private static let prepared: Void = xmlInitParser()

    /// Bytes passed to the parser at once; larger chunks gain nothing.
    private static let chunk = 16 << 10

    /// The options of both parsers, which have the same numbers; the encoding is already determined: a declaration is ignored.
    private static let options = Int32(
        XML_PARSE_RECOVER.rawValue | XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue
            | XML_PARSE_NOWARNING.rawValue | XML_PARSE_IGNORE_ENC.rawValue
            // Otherwise `&amp;` in an attribute is one reference for another.
            | XML_PARSE_NOENT.rawValue)

    /// Returns XML with numbers for references that only HTML knows (`&eacute;`), and with references for each `&` that begins none.
    private static func mended(_ xml: [UInt8]) -> [UInt8] {
        var mended: [UInt8] = []
        mended.reserveCapacity(xml.count)
        var at = 0
        var isLiteral = false
        while at < xml.count {
            let rest = xml[at...]
            switch xml[at] {
            case "<" where rest.starts(with: "<![CDATA[".utf8): isLiteral = true
            case "]" where rest.starts(with: "]]>".utf8): isLiteral = false
            case "&" where !isLiteral && !rest.starts(with: "&#".utf8):
                // The longest of HTML 4 has eight letters.
                let name = rest.dropFirst().prefix(9).prefix { $0 != ";" }
                let known = htmlEntityLookup(String(utf8: name))
                mended += (known.map { "&#\($0.pointee.value)" } ?? "&amp;").utf8
                at += known == nil ? 1 : name.count + 1
                continue
            default: break
            }
            mended.append(xml[at])
            at += 1
        }
        return mended
    }

    /// Parses UTF-8 without NUL bytes, XML up to the first unrecoverable error; its names keep their prefixes (`media:content`) and their
    /// case.
    static func tree(of bytes: [UInt8], isXML: Bool) -> Tree {
        _ = prepared
        let bytes = isXML ? mended(bytes) : bytes
        var builder = TreeBuilder(expectedBytes: bytes.count)
        var events = treeEvents()
        withUnsafeMutablePointer(to: &builder) { builder in
            let context =
                isXML
                ? xmlCreatePushParserCtxt(&events, builder, nil, 0, nil)
                : htmlCreatePushParserCtxt(
                    &events, builder, nil, 0, nil, XML_CHAR_ENCODING_UTF8)
            guard let context else { return }
            defer {
                // Where a document declares entities, the library keeps them in one that is left to the caller.
                xmlFreeDoc(context.pointee.myDoc)
                xmlFreeParserCtxt(context)
            }
            let parse = isXML ? xmlParseChunk : htmlParseChunk
            _ = (isXML ? xmlCtxtUseOptions : htmlCtxtUseOptions)(context, options)
            bytes.withUnsafeBufferPointer { page in
                let kept = isXML ? [0..<page.count] : TagGuard.rangesToKeep(of: page)
                let chunks = kept.lazy.flatMap { range in
                    stride(from: range.lowerBound, to: range.upperBound, by: chunk).lazy.map {
                        $0..<min($0 + chunk, range.upperBound)
                    }
                }
                for range in chunks {
                    let piece = UnsafeBufferPointer(rebasing: page[range])
                    guard builder.pointee.mayTake(piece) else { break }
                    piece.withMemoryRebound(to: CChar.self) {
                        _ = parse(context, $0.baseAddress, Int32($0.count), 0)
                    }
                }
            }
            _ = parse(context, nil, 0, 1)
        }
        return builder.finish()
    }

    /// The events that matter; all others, above all errors, stay unset and are dropped by the library.
    private static func treeEvents() -> xmlSAXHandler {
        var events = xmlSAXHandler()
        events.startElement = { user, name, values in
            guard let name else { return }
            builder(user)?.pointee.startElement(name, values)
        }
        events.endElement = { user, _ in builder(user)?.pointee.endElement() }
        events.characters = { user, text, count in
            guard let text, count > 0 else { return }
            builder(user)?.pointee.characters(text, count: Int(count))
        }
        // The contents of scripts and styles are reported as CDATA.
        events.cdataBlock = events.characters
        return events
    }
}

private func builder(
    _ user: UnsafeMutableRawPointer?
) -> UnsafeMutablePointer<TreeBuilder>? {
    user?.assumingMemoryBound(to: TreeBuilder.self)
}

import Basics
import ImageCodecs

/// A part of the program that reads bytes from outside.
///
/// It must come back from any, within memory and time, and what it gives must
/// be harmless: a target traps where it is not.
struct FuzzTarget: Sendable {
    let name: String
    let run: @Sendable ([UInt8]) -> Void

    /// The one that the first argument names.
    static let chosen = all.first { $0.name == CommandLine.arguments[1] }

    static let all =
        [
            Self(name: "page") { readPage($0, type: "text/html") },
            Self(name: "feed") { readPage($0, type: "application/xml") },
            Self(name: "state") { readPage($0, type: "application/json") },
            Self(name: "archive", run: openArchive),
            Self(name: "selector", run: select),
            Self(name: "srcset", run: readSrcset),
            Self(name: "recipe", run: readRecipe),
            Self(name: "address", run: resolveAddresses),
            Self(name: "http", run: readHeaderFields),
            Self(name: "cache", run: readCacheFile),
            Self(name: "configuration", run: readConfiguration),
            Self(name: "input", run: readInput),
            Self(name: "terminfo", run: readTermInfo),
            Self(name: "text", run: showText),
            Self(name: "trace", run: readTrace),
            Self(name: "devtools", run: receiveMessages),
            Self(name: "proxy", run: readProxyRequest),
            Self(name: "svg") { _ = ImageHeader(of: FileBytes($0)) },
            Self(name: "pdf", run: drawPages),
        ]
        + ImageFormat.allCases.filter { !$0.isDrawn }.map { format in
            Self(name: format.fileExtension) { decode($0) }
        }
}

/// Traps unless `text` can go to a terminal or into a list as one line.
func requireHarmless(_ text: String) {
    demand(!text.unicodeScalars.contains { $0.isUnfitForLine || $0.value == 0x2028 }, text)
}

/// `precondition`, which an optimised build would leave without its words.
func demand(
    _ isTrue: Bool, _ words: @autoclosure () -> String = "", file: StaticString = #file,
    line: UInt = #line
) {
    if !isTrue { fatalError(words().debugDescription, file: file, line: line) }
}

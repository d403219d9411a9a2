import Basics
import Glibc
import ImageEncoders
import Raster
import TestSupport
import Testing

extension EndToEnd {
    /// Every network fault at once, in a gallery of 500 pictures.
    @Suite("Network faults") struct FaultTableTests {
        let folder: ScratchFolder

        init() throws { folder = try ScratchFolder() }

        enum Fault: CaseIterable {
            case reset, cutShort, hang, garbage, wrongLength, wrongType, storm, noName, noTLS,
                notFound
        }

        private static let count = 500

        /// Returns the fault of a picture; every other one is healthy.
        private static func fault(of number: Int) -> Fault? {
            number % 2 == 0 ? nil : Fault.allCases[number / 2 % Fault.allCases.count]
        }

        /// Half black and half white, so that every block set shows something.
        private static let picture: [UInt8] = {
            let row = (0..<320).map { UInt8($0 / 4 < 40 ? 0 : 255) | ($0 % 4 == 3 ? 255 : 0) }
            let pixels = PixelBuffer(
                size: PixelSize(width: 80, height: 60),
                bytes: Array(repeating: row, count: 60).flatMap(\.self),
                isOpaque: true)
            return (try? ImageEncoder.png(pixels, PNGOptions(kind: .rgb))) ?? []
        }()

        private static func answer(_ fault: Fault?) -> ServerResponse {
            let whole = ServerResponse.bytes(picture, type: "image/png")
            switch fault {
            case .reset: return whole.delivered(.reset(after: 20))
            case .cutShort: return whole.delivered(.truncated(after: 40))
            case .wrongLength: return whole.delivered(.chunkedTruncated(after: 40))
            case .hang: return whole.delivered(.stalled(after: 10))
            case .garbage:
                return .bytes(
                    (0..<500).map { UInt8(truncatingIfNeeded: $0 * 77) }, type: "image/png")
            case .wrongType: return .html("<p>Log in to see this picture")
            case .storm: return .status(503)
            case .notFound: return .status(404)
            case .noName, .noTLS, nil: return whole
            }
        }

        private func server() throws -> LoopbackServer {
            let server = try LoopbackServer()
            let items = (1...Self.count).map { number in
                let path = "/thumbs/\(number).png"
                let source =
                    switch Self.fault(of: number) {
                    case .noName: "http://n\(number).invalid\(path)"
                    case .noTLS: "https://127.0.0.1:\(server.port)\(path)"
                    default: path
                    }
                return
                    "<figure class=item><a href=/p\(number)><img width=80 height=60 src=\"\(source)\" alt=\"\"></a>"
                    + "<figcaption>\(ProgramGallery.title(number))</figcaption></figure>"
            }
            let page =
                "<!DOCTYPE html><title>Faults</title><div class=gallery>\(items.joined(separator: "\n"))</div>"
            server.route("/") { _ in .html(page) }
            server.route(below: "/thumbs/") { request in
                let number = Int(request.path.dropFirst(8).prefix { $0 != "." }) ?? 0
                return Self.answer(Self.fault(of: number))
            }
            return server
        }

        private static let options = [
            "--retries", "0", "--timeout", "1", "--connections", "50", "--allow-private",
        ]

        @Test("of 500 pictures, every healthy one is shown and every faulty one gives its reason")
        func print() throws {
            let server = try server()
            let run = try ProgramRun(
                ["--print", "--colors", "mono", "--blocks", "ascii", server.url("/")]
                    + Self.options,
                in: folder, environment: ["COLUMNS": "999"], seconds: 60)
            #expect(run.code == 0, "\(run.errors)")
            // Rows of forty tiles of 24 columns, below the gallery's title; each ends with a row of captions.
            var tiles: [Int: String] = [:]
            var above: [[Character]] = []
            for line in run.output.split(separator: "\n").dropFirst().map({ Array($0) }) {
                guard String(line).contains("Picture ") else {
                    above.append(line)
                    continue
                }
                for start in stride(from: 0, to: 999, by: 25) {
                    let caption = String(line[start..<min(start + 24, line.count)])
                    guard let number = Int(caption.drop { !$0.isNumber }.prefix(while: \.isNumber))
                    else { continue }
                    tiles[number] = above.map { String($0.dropFirst(start).prefix(24)) }.joined(
                        separator: " ")
                }
                above = []
            }
            #expect(tiles.count == Self.count)
            var reasons: Set<String> = []
            for number in 1...Self.count {
                let tile = tiles[number] ?? ""
                let text = tile.split(separator: " ").joined(separator: " ")
                if let fault = Self.fault(of: number) {
                    #expect(text.contains("× ") && text.count > 12, "\(number), \(fault): \(text)")
                    // On a busy machine any of them may come too late.
                    let isSilent = [.hang, .noTLS].contains(fault)
                    if !isSilent, text.contains("no response") { continue }
                    reasons.insert("\(fault): \(text.prefix(14))")
                } else {
                    #expect(!text.contains("×") && !text.isEmpty, "\(number): \(text)")
                }
            }
            #expect(reasons.count == Fault.allCases.count, "\(reasons.sorted())")
        }

        /// Returns the open descriptors, threads and resident megabytes of a process.
        private func usage(of process: pid_t) -> (descriptors: Int, threads: Int, megabytes: Int) {
            let path = "/proc/\(process)"
            let words = String(
                decoding: smallFile("\(path)/statm", limit: 1000) ?? [], as: UTF8.self
            )
            .split(separator: " ").compactMap { Int($0) }
            return (
                fileNames(in: path + "/fd", limit: 10_000)?.count ?? 0,
                fileNames(in: path + "/task", limit: 10_000)?.count ?? 0,
                words.count > 1 ? (words[1] * sysconf(Int32(_SC_PAGESIZE))) >> 20 : 0
            )
        }

        @Test("descriptors, threads and memory stay flat through faults, retries and rapid resizes")
        func flat() throws {
            let server = try server()
            let screen = try ProgramScreen(
                Self.options + [server.url("/")], in: folder, size: EndToEnd.sizes[1])
            #expect(screen.wait { $0.position == "1/\(Self.count)" }, "\(screen.screen.text)")
            var first = (descriptors: 0, threads: 0, megabytes: 0)
            for round in 1...4 {
                for place in [100, 200, 300, 400, 500, 1] {
                    screen.type("\(place)G")
                    #expect(
                        screen.wait { $0.position == "\(place)/\(Self.count)" },
                        "\(screen.screen.text)")
                }
                for step in 0..<60 {
                    screen.process.resize(
                        to: CellSize(columns: 20 + step * 7 % 110, rows: 6 + step * 5 % 40))
                }
                screen.process.resize(to: EndToEnd.sizes[1])
                screen.type("r")
                screen.settle()
                if round == 1 { first = usage(of: screen.process.identifier) }
            }
            // Dispatch keeps threads that have nothing to do for some seconds.
            #expect(
                screen.wait { usage(of: $0.process.identifier).threads <= first.threads + 3 },
                "\(first), \(usage(of: screen.process.identifier))")
            let last = usage(of: screen.process.identifier)
            // Connections are kept open for a while, up to the limit; one lost for each fault would be hundreds.
            #expect(last.descriptors <= first.descriptors + 50, "\(first), \(last)")
            #expect(last.megabytes <= first.megabytes + 8, "\(first), \(last)")
            #expect(screen.quit() == .code(0))
            #expect(screen.leftBehind.isEmpty)
        }

        @Test(
            "if the cache is unwritable or nearly full, every picture is still shown",
            arguments: ["/proc/halftone", "FILE", "LIMIT"])
        func noCache(kind: String) throws {
            let gallery = try ProgramGallery(count: 6)
            let file = try folder.write("x", to: "file")
            let cache =
                kind == "FILE" ? file + "/cache" : kind == "LIMIT" ? folder.path + "/small" : kind
            // One kilobyte per file: each write is cut short, as on a full disk. The memory shared with decoders is also a file.
            let limit = kind == "LIMIT" ? "ulimit -f 1; set -- \"$@\" --no-sandbox; " : ""
            let command = "(\(limit)\"$@\" || echo failed) | cat > \"$0\""
            try Tool.run(
                "sh",
                [
                    "-c", command, folder.path + "/sheet", ProgramRun.executable, "--no-config",
                    "--cache",
                    cache, "--print", "--colors", "truecolor", gallery.address,
                ])
            let sheet = String(decoding: folder.read("sheet"), as: UTF8.self)
            #expect(!sheet.contains("failed"))
            for number in gallery.pictures {
                let color = ProgramGallery.color(number)
                let code = "2;\(color.red);\(color.green);\(color.blue)"
                #expect(sheet.contains(code), "\(number)")
            }
        }
    }
}

import Basics
import Glibc
import TestSupport

/// A server with the pages of `Pages`, ten pages of 24 items each from its `/api`, and their pictures.
struct DrawnGallery {
    static let pageCount = 10, itemsPerPage = 24
    static let itemCount = pageCount * itemsPerPage
    private static let pages = #filePath
        .split(separator: "/").dropLast().joined(separator: "/")

    let server: LoopbackServer

    init() throws {
        server = try LoopbackServer()
        server.serve(folder: "/\(Self.pages)/Pages", below: "/pages/")
        server.serve(folder: "/usr/share/nodejs/react/umd", below: "/react/")
        server.serve(folder: "/usr/share/nodejs/react-dom/umd", below: "/react-dom/")
        server.serve(folder: "/usr/share/javascript/vue", below: "/vue/")
        server.route("/api") { request in
            let page = request.query?.split(separator: "=").last.flatMap { Int($0) } ?? 1
            return .bytes(Array(Self.answer(page).utf8), type: "application/json")
        }
        server.route(below: "/pictures/") { request in
            let number = request.path.split { !($0.isNumber) }.first.flatMap { Int($0) } ?? 0
            return .bytes(Self.picture(number), type: "image/gif")
        }
        server.route("/redirect") {
            .redirect(to: String($0.query?.dropFirst("to=".count) ?? ""))
        }
        server.route("/poll") { _ in .bytes([], type: "text/plain") }
        server.route("/long") { _ in
            ServerResponse.bytes([0x20, 0x20], type: "text/plain").delivered(.stalled(after: 1))
        }
    }

    /// The address of a page.
    func url(_ name: String) -> String { server.url("/pages/\(name).html") }

    /// The addresses of the pictures, in the pages' order.
    func pictures(_ count: Int = itemCount) -> [String] {
        (1...count).map { server.url("/pictures/\($0).gif") }
    }

    private static func answer(_ page: Int) -> String {
        let items = (1...itemsPerPage).map { place in
            let number = (page - 1) * itemsPerPage + place
            return #"{"id":\#(number),"title":"Picture \#(number)","#
                + #""picture":"/pictures/\#(number).gif","link":"/item/\#(number)"}"#
        }
        let next = page < pageCount ? "\(page + 1)" : "null"
        return #"{"items":[\#(items.joined(separator: ","))],"next":\#(next)}"#
    }

    /// A GIF of one colour that no other number has.
    private static func picture(_ number: Int) -> [UInt8] {
        let color = [UInt8(number & 0xFF), UInt8(number >> 8), 0x80]
        return Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0] + color + [0, 0, 0]
            + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]
    }
}

/// The program as a user whom Chromium's sandbox takes: it refuses root.
struct ProgramOfUser {
    let folder: ScratchFolder
    private let command: [String]

    /// Why pages cannot be rendered here; nil if they can.
    static var obstacle: String? {
        if access("/usr/bin/chromium", X_OK) != 0 { return "chromium is missing" }
        return access("/usr/lib/chromium/chrome-sandbox", X_OK) == 0
            ? nil : "chromium-sandbox is missing"
    }

    /// Makes a home for the program, and copies it there, since the user may not look into root's folders.
    init() throws {
        folder = try ScratchFolder()
        guard geteuid() == 0 else {
            command = [ProgramRun.executable]
            return
        }
        let repository = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        try Tool.run("cp", [ProgramRun.executable, folder.path + "/program"])
        try Tool.run("cp", ["-r", "/\(repository)/Resources", folder.path + "/Resources"])
        try Tool.run("chown", ["-R", "65534:65534", folder.path])
        command = [
            "/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
            folder.path + "/program",
        ]
    }

    /// Runs the program to its end.
    func run(_ arguments: [String]) throws -> ProgramRun {
        try ProgramRun(
            arguments, in: folder,
            environment: ["HALFTONE_RESOURCES": folder.path + "/Resources"], command: command)
    }
}

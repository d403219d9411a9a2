import Basics
import Glibc
import TestSupport

/// A server with the pages of `Pages`, whose items come from its `/api`, 24 for each screen, and their pictures.
struct DrawnGallery {
    static let itemsPerPage = 24
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
            let numbers = request.query?.split { !$0.isNumber }.compactMap { Int($0) } ?? []
            let answer = Self.answer(numbers.first ?? 1, of: numbers.dropFirst().first ?? 1)
            return .bytes(Array(answer.utf8), type: "application/json")
        }
        server.route("/elsewhere") { _ in .html("") }
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

    /// The address of a page, which goes on for so many screens.
    func url(_ name: String, screens: Int = 1) -> String {
        server.url("/pages/\(name).html?screens=\(screens)")
    }

    /// The addresses of the pictures on so many screens, in the pages' order.
    func pictures(screens: Int = 1) -> [String] {
        (1...screens * Self.itemsPerPage).map { server.url("/pictures/\($0).gif") }
    }

    private static func answer(_ page: Int, of pageCount: Int) -> String {
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

    private let resources: String

    /// Whether pages can be drawn here: all is installed, and Chromium starts in its sandbox.
    static let isPossible: Bool = {
        let needed = [
            "/usr/bin/chromium", "/usr/share/nodejs/react/umd", "/usr/share/nodejs/react-dom/umd",
            "/usr/share/javascript/vue",
        ]
        guard needed.allSatisfy({ access($0, F_OK) == 0 }), let user = try? ProgramOfUser() else {
            return false
        }
        let words =
            user.command.dropLast() + [
                "/usr/bin/env", "HOME=" + user.folder.path, "chromium", "--headless",
                "--user-data-dir=\(user.folder.path)/own", "--dump-dom", "about:blank",
            ]
        let lines = try? Tool.output(of: words[0], Array(words.dropFirst()))
        return lines?.contains { $0.contains("<html>") } == true
    }()

    /// Makes a home for the program, and copies it there, since the user may not look into root's folders.
    init() throws {
        folder = try ScratchFolder()
        mkdir(folder.path + "/own", 0o700)
        let repository = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        guard geteuid() == 0 else {
            (command, resources) = ([ProgramRun.executable], "/\(repository)/Resources")
            return
        }
        resources = folder.path + "/Resources"
        try Tool.run("cp", [ProgramRun.executable, folder.path + "/program"])
        try Tool.run("cp", ["-r", "/\(repository)/Resources", resources])
        try Tool.run("chown", ["-R", "65534:65534", folder.path])
        command = [
            "/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
            folder.path + "/program",
        ]
    }

    private func environment(_ more: [String: String]) -> [String: String] {
        more.merging([
            "HALFTONE_RESOURCES": resources, "TMPDIR": folder.path + "/own",
        ]) { $1 }
    }

    /// Runs the program to its end.
    func run(_ arguments: [String], environment: [String: String] = [:]) throws -> ProgramRun {
        try ProgramRun(
            arguments, in: folder, environment: self.environment(environment), command: command)
    }

    /// Starts the program in a terminal.
    func screen(_ arguments: [String]) throws -> ProgramScreen {
        try ProgramScreen(arguments, in: folder, environment: environment([:]), command: command)
    }

    /// Whether the browser's profile is gone in the end, which is removed after all that could write there.
    func isClean() -> Bool {
        for _ in 0..<2_000 {
            if fileNames(in: folder.path + "/own", limit: 10) == [] { return true }
            usleep(20_000)
        }
        return false
    }
}

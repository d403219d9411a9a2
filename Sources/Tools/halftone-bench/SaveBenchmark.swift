import Glibc
import TestSupport

/// Saving a whole gallery from a fast server on this machine, beside curl with as many connections.
struct SaveBenchmark {
    /// The path of the program.
    let program: String

    private static let server = "/usr/sbin/nginx"
    private static let picturesPerPage = 200
    private static let connections = 6
    private static let rounds = 5

    private var folder: String { "/tmp/halftone-bench-\(getpid())/save" }

    /// Measures whole processes, interleaved, and how memory grows with the number of pictures.
    func run(_ report: inout Report) throws {
        report.heading("Saving pictures of 30 KB from nginx on this machine, 6 connections")
        // It is not installed for this, as Debian's starts a server on port 80.
        guard access(Self.server, X_OK) == 0 else {
            return report.line("not measured", "\(Self.server) is missing")
        }
        let (few, many) = (1_000, 10_000)
        try makeSite(few, "few")
        try makeSite(many, "many")
        let port = try LoopbackServer.freePort()
        try writeFile(
            Array(
                """
                daemon off; master_process off; error_log stderr notice; pid \(folder)/pid;
                events {}
                http {
                  types { text/html html; image/png png; }
                  access_log off; sendfile on; keepalive_requests 1000000;
                  server { listen 127.0.0.1:\(port); root \(folder)/site; }
                }
                """.utf8), to: folder + "/nginx.conf")
        let server = try Tool(Self.server, ["-c", folder + "/nginx.conf"])
        try server.waitFor("OS: Linux")
        defer { server.stop() }
        let origin = "http://127.0.0.1:\(port)"
        try writeFile(
            Array(
                (0..<many).map {
                    "url = \(origin)/picture/\($0).png\noutput = \(folder)/out/\($0).png\n"
                }.joined().utf8), to: folder + "/urls")
        var (own, curls, peaks): ([Double], [Double], [Double]) = ([], [], [])
        for _ in 0..<Self.rounds {
            curls.append(try curl().wall)
            own.append(try save(origin + "/many/0.html").wall)
            peaks.append(try save(origin + "/few/0.html").peak)
        }
        let last = try save(origin + "/many/0.html")
        report.line("\(many) pictures", "\(own.median.short) ms")
        report.line("curl --parallel, the same files", "\(curls.median.short) ms")
        report.check("throughput / curl's", curls.median / own.median, atLeast: 0.9)
        report.check(
            "memory of \(many) / of \(few)", last.peak / peaks.median, atMost: 1.5)
        report.line("memory", "\((last.peak / 1e6).short) MB")
    }

    /// Makes pages of a gallery below the folder `name`, and its pictures, which the galleries share: enough of a PNG to be told as one.
    private func makeSite(_ count: Int, _ name: String) throws {
        try makeFolder("\(folder)/site/\(name)")
        try makeFolder("\(folder)/site/picture")
        let head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        for number in 0..<count {
            let own = withUnsafeBytes(of: number) { Array($0) }
            try writeFile(
                head + own + [UInt8](repeating: UInt8(number & 255), count: 30_000),
                to: "\(folder)/site/picture/\(number).png")
        }
        let pages = count / Self.picturesPerPage
        for page in 0..<pages {
            let figures = (page * Self.picturesPerPage..<(page + 1) * Self.picturesPerPage).map {
                "<figure><img src=/picture/\($0).png width=300 height=200>"
                    + "<figcaption>Tile \($0)</figcaption></figure>"
            }
            let next = page + 1 < pages ? "<a rel=next href=\(page + 1).html>next</a>" : ""
            let html = "<title>Gallery</title><main>\(figures.joined())</main>\(next)"
            try writeFile(Array(html.utf8), to: "\(folder)/site/\(name)/\(page).html")
        }
    }

    /// Saves a gallery whole, with a cache and a state of its own.
    private func save(_ address: String) throws -> Run {
        let own = folder + "/own"
        _ = try Run.of(["rm", "-rf", own])
        try makeFolder(own)
        return try Run.of([
            "env", "HOME=\(own)", "XDG_STATE_HOME=\(own)", program, "--no-config", "--cache",
            own + "/cache", "--connections", "\(Self.connections)", "--pages", "all", "--save",
            own + "/out", address,
        ])
    }

    private func curl() throws -> Run {
        _ = try Run.of(["rm", "-rf", folder + "/out"])
        try makeFolder(folder + "/out")
        return try Run.of([
            "curl", "--no-progress-meter", "--parallel", "--parallel-max", "\(Self.connections)",
            "--config", folder + "/urls",
        ])
    }
}

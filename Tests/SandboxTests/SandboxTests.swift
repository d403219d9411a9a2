import CSandbox
import Glibc
import ImageEncoders
import Raster
import TestSupport
import TestTraits
import Testing

/// Helpers that do what one would do that a picture has taken over; `sandbox-probe` says what that is.
@Suite(
    "Helper processes can only compute", .enabled(if: !isSanitized, "no sandbox there"),
    .onOwnThread)
struct SandboxTests {
    /// The words of the probe's lines, by the first.
    private func probe(
        as account: Account = .own, _ arguments: String..., troubles: ScratchFolder? = nil
    ) throws -> [String: String] {
        let environment = troubles.map { ["TROUBLES=" + $0.path] } ?? []
        let words = account.words + ["env"] + environment + [Self.path] + arguments
        let lines = try Tool.output(of: words[0], Array(words[1...]))
        return Dictionary(
            lines.compactMap { line in
                let words = line.split(separator: " ", maxSplits: 1)
                return words.count == 2 ? (String(words[0]), String(words[1])) : nil
            }, uniquingKeysWith: { $1 })
    }

    static let path = String(ProgramRun.executable.dropLast("halftone".count)) + "sandbox-probe"

    @Test(
        "a helper has no files, connections, processes or code of its own", arguments: Account.all)
    func rights(account: Account) throws {
        let free = try probe("free")
        let held = try probe(as: account, "rights")
        #expect(free.count == 12 && held.count == 13)
        // Or it would say nothing that they fail in a helper.
        #expect(free.values.allSatisfy { $0 == "allowed" }, "\(free)")
        let refused = ["read", "write", "list", "look", "duplicate", "grow"]
        for (name, words) in held where name != "in" {
            #expect(words == (refused.contains(name) ? "refused \(EACCES)" : "crashed"), "\(name)")
        }
        #expect(held["in"] == "force: seccomp, Landlock, rlimits")
    }

    @Test(
        "a crash, a hang or excessive use fails one request, and the next is answered",
        arguments: Account.all)
    func harm(account: Account) throws {
        let expected = [
            "abort": "crashed", "segfault": "crashed", "trap": "crashed", "leave": "crashed",
            "hang": "tooSlow", "spin": "tooSlow", "memory": "tooMuchMemory", "file": "crashed",
            // What it wrote would stand here.
            "words": "refused 0",
        ]
        #expect(try probe(as: account, "harm") == expected)
    }

    @Test("a first helper that cannot be started is asked for again", arguments: Account.all)
    func repeatedStart(account: Account) throws {
        let troubles = try account.folder()
        for number in 1...4 { try troubles.write("", to: "exit \(number)") }
        let expected = ["in": "force: seccomp, Landlock, rlimits", "then": "well"]
        #expect(try probe(as: account, "first", troubles: troubles) == expected)
        #expect(access(troubles.path + "/exit 4", F_OK) != 0)
    }

    @Test("a stopped zygote or helper is replaced", arguments: Account.all)
    func stops(account: Account) throws {
        let troubles = try account.folder()
        try troubles.write("", to: "stop 1")
        let expected = ["in": "force: seccomp, Landlock, rlimits", "then": "well"]
        #expect(try probe(as: account, "first", troubles: troubles) == expected)
        #expect(
            try probe(as: account, "stopped") == ["stopped": "tooSlow early", "then": "well"])
    }

    @Test("a helper works for one origin only")
    func origins() throws { #expect(try probe("origins") == ["helpers": "2"]) }

    @Test("descriptors that were not asked for are closed")
    func surplusDescriptors() throws {
        var (sockets, ends): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        let isMade = socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &sockets) == 0
        try #require(isMade && pipe(&ends) == 0)
        var (byte, got): (UInt8, Int32) = (7, -1)
        #expect(halftone_send(sockets[0], &byte, 1, [ends[1], ends[1]], 2))
        #expect(halftone_receive(sockets[1], &byte, 1, &got, 1) && got == -1)
        close(ends[1])
        // The pipe has ended, so nobody holds its other end.
        var entry = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
        #expect(poll(&entry, 1, 0) == 1 && entry.revents == POLLHUP)
        [ends[0], sockets[0], sockets[1]].forEach { close($0) }
    }

    @Test("requests of any size are read in place by the same helper", arguments: Account.all)
    func sizes(account: Account) throws {
        #expect(try probe(as: account, "sizes") == ["helpers": "1"])
    }

    @Test("a file is read in place, and one truncated meanwhile fails one request")
    func file() throws {
        let folder = try ScratchFolder()
        let path = try folder.write([UInt8](repeating: 3, count: 300_000), to: "file")
        let expected = [
            "300000": "900000", "600000": "crashed", "after": "600000 well",
        ]
        #expect(try probe("file", path, "300000") == expected)
        // The kernel's own files cannot be mapped.
        let kernel = "/proc/version"
        let text = try #require(try Tool.output(of: "/bin/cat", [kernel]).first) + "\n"
        let sum = text.utf8.reduce(0) { $0 + Int($1) }
        let size = "\(text.utf8.count)"
        #expect(try probe("file", kernel, size)[size] == "\(sum)")
    }

    @Test("a picture modified after being read is decoded from the original bytes")
    func changedPicture() throws {
        let folder = try ScratchFolder()
        let paths = try [("wide", 96, 64), ("tall", 64, 96)].map { name, width, height in
            let size = PixelSize(width: width, height: height)
            let picture = PixelBuffer(filledWith: RGB(0x40_80C0), size: size)
            return try folder.write(try ImageEncoder.png(picture), to: name)
        }
        #expect(try probe("changed", paths[0], paths[1]) == ["wide": "24 columns"])
        #expect(try probe("pictures", "60", paths[0]) == ["wide": "16 columns"])
    }

    @Test(
        "helpers and zygotes killed at any moment lose at most one request each",
        arguments: Account.all)
    func kills(account: Account) throws {
        let expected = ["lost": "no more than were killed", "afterwards": "all well"]
        #expect(try probe(as: account, "kills", "300") == expected)
    }

    @Test(
        "no helper outlives the program, even if it is killed, or its zygote is stopped",
        arguments: [false, true])
    func killed(isStopped: Bool) throws {
        let tool = try Tool(Self.path, ["hold", "3"])
        try tool.waitFor("]")
        let line = tool.lines.first { $0.hasPrefix("ready") } ?? ""
        let processes = line.split { !$0.isNumber }.compactMap { pid_t($0) }
        #expect(processes.count == 5, "\(line)")
        let ends = processes.map(ProcessEnd.init)
        if isStopped { kill(processes[1], SIGSTOP) }
        tool.stop()
        #expect(ends.allSatisfy { $0.wait() })
    }

    /// Drawings that abort librsvg 2.54, or take minutes and gigabytes, and what becomes of them.
    private static let drawings: [(name: String, content: String, words: Set<String>)] = [
        // By the fonts there are.
        ("font", "<text font-size='1e9'>text</text>", crashed.union(["24 columns"])),
        (
            "matrix",
            "<filter id='f'><feConvolveMatrix order='99' kernelMatrix='"
                + String(repeating: "1 ", count: 9801)
                + "'/></filter><rect width='50' height='50' filter='url(#f)'/>", crashed
        ),
        (
            "octaves",
            "<filter id='f'><feTurbulence baseFrequency='0.1' numOctaves='1000000'/></filter>"
                + "<rect width='100' height='100' filter='url(#f)'/>", slow
        ),
        (
            "filters",
            "<filter id='f'><feGaussianBlur stdDeviation='9'/></filter>"
                + String(
                    repeating: "<rect width='100' height='100' filter='url(#f)'/>", count: 20_000),
            slow
        ),
        (
            "path",
            "<path stroke='red' d='M0 0"
                + String(repeating: "L99 7L3 88L50 1", count: 7_000_000 / 15) + "'/>", slow
        ),
        (
            "text", "<text>" + String(repeating: "text ", count: 7_000_000 / 5) + "</text>",
            slow.union(large)
        ),
    ]
    private static let crashed: Set = ["crashed its decoder"]
    private static let slow: Set = ["takes too long to decode"]
    private static let large: Set = ["needs too much memory to decode"]

    @Test("a drawing that crashes its decoder or takes minutes fails alone")
    func drawings() throws {
        let folder = try ScratchFolder()
        let picture = PixelBuffer(
            filledWith: RGB(0x40_80C0), size: PixelSize(width: 96, height: 64))
        let good = try folder.write(try ImageEncoder.png(picture), to: "good")
        let paths = try Self.drawings.map { drawing in
            try folder.write(
                "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100' width='100'>"
                    + drawing.content + "</svg>", to: drawing.name)
        }
        let words = try Tool.output(of: Self.path, ["pictures", "0.3"] + paths + [good])
        #expect(words.contains("good 24 columns"))
        for drawing in Self.drawings {
            let said = words.first { $0.hasPrefix(drawing.name + " ") }
            let reason = said?.dropFirst(drawing.name.count + 1)
            #expect(drawing.words.contains(String(reason ?? "")), "\(drawing.name): \(said ?? "")")
        }
        #expect(words.count(where: { !$0.isEmpty }) == paths.count + 1, "\(words)")
    }

    @Test("a healthy drawing does not wait for hostile ones")
    func slowDrawings() throws {
        let folder = try ScratchFolder()
        let hostile =
            "<g id='g'>" + String(repeating: "<rect width='100' height='100'/>", count: 500)
            + "</g><g opacity='0.5'>" + String(repeating: "<use href='#g'/>", count: 900) + "</g>"
        let paths = try [hostile, hostile, hostile, "<rect width='50' height='50'/>"].enumerated()
            .map { number, content in
                try folder.write(
                    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100' width='100'>"
                        + content + "</svg>", to: "\(number)")
            }
        let words = try Tool.output(of: Self.path, ["pictures", "2"] + paths)
        #expect(words.first == "3 24 columns", "\(words)")
        #expect(
            words.count(where: Self.slow.contains) == 0 && words.count(where: { !$0.isEmpty }) == 4)
    }
}

/// The account that a probe runs in: root is exempt from many limits.
enum Account: Sendable {
    case own, ordinary

    static let all: [Account] = geteuid() == 0 ? [.own, .ordinary] : [.own]
    /// One for each run of the tests, as the limit of processes counts all of an account.
    static let number = "\(100_000 + getpid())"

    /// The words before those of a program that change the account.
    var words: [String] {
        self == .own
            ? []
            : ["setpriv", "--reuid", Self.number, "--regid", Self.number, "--clear-groups"]
    }

    /// A folder in which it may remove files.
    func folder() throws -> ScratchFolder {
        let folder = try ScratchFolder()
        chmod(folder.path, 0o777)
        return folder
    }
}

/// Whether the tests are built with a sanitizer, which needs more memory and more system calls than a helper is allowed.
private let isSanitized =
    dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil

import Basics
import Dispatch
import Glibc
import ImageCodecs
import Network
import Pipeline
import Raster
import Sandbox
import TestSupport
import Thumbnails
import Trace

/// Does in a helper what one that was taken over would do, for tests to see what becomes of it.
///
///     sandbox-probe rights         tries what no helper may; a line each
///     sandbox-probe free           the same in this process
///     sandbox-probe harm           crashes, hangs and takes too much, and asks for something harmless after each
///     sandbox-probe first          says whether a first helper was started, and works; in its folder of troubles, the zygote ends itself
///                                  or stops once for each file
///     sandbox-probe stopped        asks a stopped helper, and another
///     sandbox-probe origins        counts the helpers that work for two origins in turn
///     sandbox-probe sizes          has requests of many sizes answered by the same helper
///     sandbox-probe file F N       has a file of N bytes added up, then twice as many
///     sandbox-probe kills N        has N requests answered, many at once, while helpers are killed, and at last the zygote
///     sandbox-probe hold N         starts N helpers, and waits to be killed
///     sandbox-probe changed F G    draws F, whose bytes have become G's since it was read
///     sandbox-probe pictures S F…  draws files, each in S seconds at most, as the program does
enum Misdeeds {
    static let rights: [(name: String, attempt: @Sendable () -> Bool)] = [
        ("read", { open("/etc/passwd", O_RDONLY) >= 0 }),
        ("write", { open("/tmp/sandbox-probe-\(getpid())", O_CREAT | O_WRONLY, 0o600) >= 0 }),
        ("remove", { unlink("/tmp/sandbox-probe-\(getpid())") == 0 }),
        ("list", { opendir("/") != nil }),
        ("look", { access("/etc/passwd", F_OK) == 0 }),
        ("connect", { socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) >= 0 }),
        ("listen", { socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) >= 0 }),
        (
            "start",
            {
                var child = pid_t()
                var words: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
                return posix_spawn(&child, "/bin/true", nil, nil, &words, nil) == 0
            }
        ),
        ("signal", { kill(getpid(), 0) == 0 }),
        (
            "run",
            {
                let pages = mmap(
                    nil, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                return pages != MAP_FAILED
            }
        ),
        ("duplicate", { dup(STDIN_FILENO) >= 0 }),
        (
            "grow",
            {
                var limit = rlimit(rlim_cur: .max, rlim_max: .max)
                return setrlimit(__rlimit_resource_t(UInt32(RLIMIT_AS.rawValue)), &limit) == 0
            }
        ),
    ]

    /// Of the first what is answered is taken, were it of another size; of the others nothing comes.
    static let harms: [(name: String, harm: @Sendable () -> [UInt8])] = [
        ("abort", { abort() }),
        ("segfault", { [UnsafePointer<UInt8>(bitPattern: 8)?.pointee ?? 0] }),
        ("trap", { Array(repeating: 1, count: Int.random(in: -2 ... -1)) }),
        ("leave", { exit(0) }),
        ("hang", { while true { sleep(1000) } }),
        ("spin", { while true {} }),
        (
            "memory",
            {
                while let block = malloc(1 << 24) { memset(block, 1, 1 << 24) }
                abort()
            }
        ),
        ("file", { [UInt8](repeating: 0, count: 80 << 20) }),
        ("words", { dprint("boo") }),
    ]

    private static func dprint(_ words: String) -> [UInt8] {
        for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
            _ = write(descriptor, words, words.utf8.count)
        }
        return []
    }
}

/// What befalls a zygote that is about to fork a helper.
enum Trouble {
    static func strike() {
        guard let folder = getenv("TROUBLES").map({ String(cString: $0) }) else { return }
        for number in 1...9 {
            if unlink("\(folder)/exit \(number)") == 0 { _exit(1) }
            if unlink("\(folder)/stop \(number)") == 0 { raise(SIGSTOP) }
        }
    }
}

struct Question: BitwiseCopyable {
    enum Kind: BitwiseCopyable { case sum, right, harm }
    var kind = Kind.sum
    var index = 0
}

struct Answer: BitwiseCopyable {
    var value = 0
    var code = 0
}

/// The sum of bytes, or whether an attempt succeeded, or whatever follows from a harm.
func answer(_ question: Question, _ bytes: [UInt8]) -> (Answer, [UInt8]) {
    switch question.kind {
    case .sum: return (Answer(value: bytes.reduce(0) { $0 + Int($1) }), [])
    case .right:
        errno = 0
        let isAllowed = Misdeeds.rights[question.index].attempt()
        return (Answer(value: isAllowed ? 1 : 0, code: Int(errno)), [])
    case .harm: return (Answer(), Misdeeds.harms[question.index].harm())
    }
}

func words(
    _ kind: Question.Kind, _ index: Int, in sandbox: Sandbox?, seconds: Double = 0.5
) -> String {
    let question = Question(kind: kind, index: index)
    do throws(HelperProcess.Failure) {
        let told =
            try sandbox?.helper()?.answer(to: question, [], as: Answer.self, seconds: seconds).value
            ?? answer(question, []).0
        return told.value == 1 ? "allowed" : "refused \(told.code)"
    } catch {
        return "\(error)"
    }
}

/// Whether a helper, one that is kept, adds `count` numbers up.
func adds(_ count: Int = 200_000, _ number: UInt8 = 1, in sandbox: Sandbox) -> Bool {
    guard let helper = sandbox.helper() else { return false }
    let bytes = [UInt8](repeating: number, count: count)
    // A busy machine may hold it up, and nothing is told of its speed here.
    let told = try? helper.answer(to: Question(), bytes, as: Answer.self, seconds: 120)
    guard told?.value.value == count * Int(number) else { return false }
    sandbox.keep(helper)
    return true
}

func say(_ name: String, _ words: String) {
    let line = Array("\(name) \(words)\n".utf8)
    _ = write(STDOUT_FILENO, line, line.count)
}

func startSandbox(forPictures: Bool) -> Sandbox {
    let sandbox =
        forPictures
        ? DecoderWork.start()
        : Sandbox.start(
            preparing: { _ in Trouble.strike() },
            serving: {
                Sandbox.serve($0, $1, $2) { question, bytes, _ in answer(question, Array(bytes)) }
            },
            maxIdle: 4)
    guard let sandbox else { exit(1) }
    return sandbox
}

/// Draws each file as a tile: its columns, or why there are none.
func draw(
    _ paths: [String], seconds: Double, in sandbox: Sandbox?, by other: (any Fetching)? = nil
) {
    var options = ThumbnailOptions.test
    options.decodeLimits.seconds = seconds
    options.sandbox = sandbox
    let fetcher = other ?? FetchStage(options: NetworkOptions())
    let pipeline = ThumbnailPipeline(fetcher: fetcher, options: options)
    let group = DispatchGroup()
    let subscriptions = paths.map { path in
        group.enter()
        let request = ThumbnailRequest(
            address: Address(path: path), box: CellSize(columns: 24, rows: 12), style: RenderStyle()
        )
        return pipeline.load(request, priority: .visible, flow: .none) { result in
            let name = String(path.drop { $0 != "/" }.split(separator: "/").last ?? "")
            switch result {
            case .success(let thumbnail): say(name, "\(thumbnail.cells.size.columns) columns")
            case .failure(let error): say(name, error.description)
            }
            group.leave()
        }
    }
    withExtendedLifetime(subscriptions) { group.wait() }
}

/// A fetcher that has read the file at `path` before it became what `other` is.
func fetcher(of path: String, becoming other: String) -> (any Fetching)? {
    guard let old = smallFile(path, limit: 1 << 20), let new = smallFile(other, limit: 1 << 20),
        let file = OpenFile(path), let output = fopen(path, "w")
    else { return nil }
    fwrite(new, 1, new.count, output)
    fclose(output)
    var response = Response(address: Address(path: path), body: old, origin: .file)
    response.file = file
    return InstantFetcher([response.address: .success(response)])
}

let arguments = CommandLine.arguments.dropFirst() + ["", "", ""]
let sandbox = startSandbox(forPictures: ["pictures", "changed"].contains(arguments[1]))
let count = Int(arguments[2]) ?? 0
switch arguments[1] {
case "free":
    for index in Misdeeds.rights.indices {
        say(Misdeeds.rights[index].name, words(.right, index, in: nil))
    }
case "rights":
    say("in force:", sandbox.protections?.description ?? "")
    for index in Misdeeds.rights.indices {
        say(Misdeeds.rights[index].name, words(.right, index, in: sandbox))
    }
case "harm":
    for index in Misdeeds.harms.indices {
        let name = Misdeeds.harms[index].name
        // Only these are waited for in vain; anything else may take a while on a busy machine.
        let seconds = ["hang", "spin"].contains(name) ? 0.5 : 20
        say(name, words(.harm, index, in: sandbox, seconds: seconds))
        guard adds(in: sandbox) else { exit(1) }
    }
case "first":
    say("in force:", sandbox.protections?.description ?? "nothing")
    say("then", adds(in: sandbox) ? "well" : "wrong")
case "stopped":
    guard let helper = sandbox.helper(), let zygote = children(of: getpid()).first else { exit(1) }
    children(of: zygote).forEach { kill($0, SIGSTOP) }
    let start = SteadyClock.now
    do throws(HelperProcess.Failure) {
        _ = try helper.answer(to: Question(), [1], as: Answer.self, seconds: 60)
        say("stopped", "answers")
    } catch {
        say("stopped", "\(error) \(SteadyClock.now - start < 60 ? "early" : "late")")
    }
    say("then", adds(in: sandbox) ? "well" : "wrong")
case "origins":
    guard let zygote = children(of: getpid()).first else { exit(1) }
    for origin in ["a", "b", "a", "b"] {
        guard let helper = sandbox.helper(for: origin) else { exit(1) }
        sandbox.keep(helper, for: origin)
    }
    say("helpers", "\(children(of: zygote).count)")
case "sizes":
    let zygote = children(of: getpid()).first ?? 0
    let sizes = [5000, 3 << 20, 0, 20 << 20, 7, 9 << 20, 1 << 20, 1 << 20 + 1, 48 << 20, 2]
    for (number, size) in sizes.enumerated() where !adds(size, UInt8(number), in: sandbox) {
        say("wrong", "\(size)")
    }
    say("helpers", "\(children(of: zygote).count)")
case "file":
    let file = open(arguments[2], O_RDONLY)
    let size = Int(arguments[3]) ?? 0
    for count in [size, 2 * size] {
        do throws(HelperProcess.Failure) {
            let told = try sandbox.helper()?.answer(
                to: Question(), [UInt8](repeating: 0, count: count), in: file, as: Answer.self,
                seconds: 120)
            say("\(count)", "\(told?.value.value ?? -1)")
        } catch {
            say("\(count)", "\(error)")
        }
        say("after \(count)", adds(in: sandbox) ? "well" : "wrong")
    }
case "kills":
    guard let zygote = children(of: getpid()).first else { exit(1) }
    let (wrong, killed) = (Locked(0), Locked(0))
    DispatchQueue.concurrentPerform(iterations: count) { index in
        if !adds(in: sandbox) { wrong.withLock { $0 += 1 } }
        let helpers = children(of: zygote)
        if index % 3 == 0, let helper = helpers.randomElement(), kill(helper, SIGKILL) == 0 {
            killed.withLock { $0 += 1 }
        }
    }
    let excess = wrong.withLock(\.self) - killed.withLock(\.self)
    say("lost", excess <= 0 ? "no more than were killed" : "\(excess) more")
    kill(zygote, SIGKILL)
    // Those that were kept end with it, maybe a moment later.
    say("afterwards", (0...4).contains { _ in adds(in: sandbox) } ? "all well" : "lost")
case "hold":
    let helpers = (0..<count).compactMap { _ in sandbox.helper() }
    say("ready", "\([getpid()] + children(of: getpid()).flatMap { [$0] + children(of: $0) })")
    withExtendedLifetime(helpers) { while true { pause() } }
case "changed":
    draw(
        [arguments[2]], seconds: 60, in: sandbox,
        by: fetcher(of: arguments[2], becoming: arguments[3]))
case "pictures":
    draw(
        arguments.dropFirst(2).filter { !$0.isEmpty }, seconds: Double(arguments[2]) ?? 1,
        in: sandbox)
default: exit(2)
}

import Browser
import Dispatch
import Glibc
import Pipeline
import Raster
import Terminal
import TestSupport

/// Draws in the terminal it runs in.
///
///     curses-probe steps DEPTH SEED     one a key; tells each by the window's title, `step N`
///     curses-probe mixed DEPTH SEED     the same with screens by chance; `i` forgets the screen, `z` gives it back and takes it
///     curses-probe measure DEPTH FILE   full repaints and scrolls; writes CPU and bytes a frame to FILE
///     curses-probe browse                            a gallery with the real loop
///     curses-probe crash DEPTH WHERE                 takes the terminal and traps; in a `worker`, or by an `overflow` of its stack
///     curses-probe ignored                           ignores SIGHUP, takes the terminal, gives it back, and tells whether it still does
///     curses-probe texts                             texts with marks, the next screen a key
let arguments = CommandLine.arguments + ["", "", ""]
let environment = Dictionary(
    uniqueKeysWithValues: [
        "LC_ALL", "LANG", "TERM", "TERMINFO", "TERMINFO_DIRS", "HOME", "COLORTERM", "NO_COLOR",
    ]
    .compactMap { (name: String) -> (String, String)? in
        getenv(name).map { (name, String(cString: $0)) }
    })

do {
    let wake = try WakePipe()
    let capabilities = try TerminalSession.Capabilities(
        environment: environment, colors: ColorDepth(rawValue: arguments[2]))
    if arguments[1] == "ignored" { signal(SIGHUP, SIG_IGN) }
    let session = try TerminalSession(capabilities: capabilities, wake: wake)
    switch arguments[1] {
    case "measure": Measurement(session: session).run(writingTo: arguments[3])
    case "crash": crash(session, arguments[3])
    case "texts": drawTexts(session)
    case "mixed": drawMixed(session, seed: UInt64(arguments[3]) ?? 1)
    case "browse": exit(browse(session, wake: wake))
    case "ignored": break
    default: draw(session, seed: UInt64(arguments[3]) ?? 1)
    }
    session.end()
    if arguments[1] == "ignored" {
        kill(getpid(), SIGHUP)
        print("still ignored")
    }
} catch {
    let message = Array("curses-probe: \(error)\n".utf8)
    _ = write(STDERR_FILENO, message, message.count)
    exit(1)
}

/// One step a key, until `q`.
@MainActor func drawMixed(_ session: TerminalSession, seed: UInt64) {
    var screens = MixedScreens(
        seed: seed, size: session.size, depth: session.capabilities.depth)
    while true {
        var canvas = Canvas(screens.grid)
        canvas.scrollOffset = screens.offset
        canvas.scrollRows = screens.scrollRows
        let columns = screens.grid.size.columns
        for (index, isPicture) in screens.isPicture.enumerated() where isPicture {
            canvas.markPicture(
                CellRect(x: index % columns, y: index / columns, columns: 1, rows: 1))
        }
        session.present(canvas)
        switch waitForKey(tellingStep: screens.step) {
        case UInt8(ascii: "q"): return
        case UInt8(ascii: "i"): session.screen.needsClear = true
        case UInt8(ascii: "z"): session.handOver()
        default: break
        }
        followSize(of: session)
        screens.advance(size: session.size)
    }
}

/// Tells the number of the step by the window's title.
func waitForKey(tellingStep step: Int) -> UInt8 {
    let title = Array("\u{1B}]2;step \(step)\u{7}".utf8)
    _ = write(STDOUT_FILENO, title, title.count)
    var key: UInt8 = 0
    while read(STDIN_FILENO, &key, 1) < 0, errno == EINTR {}
    return key
}

/// One step a key, until `q`.
@MainActor func draw(_ session: TerminalSession, seed: UInt64) {
    var script = ScreenScript(seed: seed, size: session.size, depth: session.capabilities.depth)
    while true {
        session.present(canvas(script))
        if waitForKey(tellingStep: script.step) == UInt8(ascii: "q") { return }
        followSize(of: session)
        script.advance(size: session.size)
    }
}

@MainActor func canvas(_ script: ScreenScript) -> Canvas {
    var canvas = Canvas(script.grid)
    script.pictures.forEach { canvas.markPicture($0) }
    canvas.scrollOffset = script.offset
    canvas.scrollRows = ScreenScript.body(of: script.grid.size)
    return canvas
}

/// The exit code is that of the loop's end.
@MainActor func browse(_ session: TerminalSession, wake: WakePipe) -> Int32 {
    let mailbox = Mailbox(wake: wake.wake)
    let style = RenderStyle(depth: session.capabilities.depth)
    guard let model = SampleGallery.model(main: mailbox, style: style) else { return 1 }
    model.start()
    return session.run(model: model, mailbox: mailbox, colors: ThemeColors()).exitCode ?? 0
}

/// Texts with marks, and a sign behind each; the next screen a key, until `q`.
@MainActor func drawTexts(_ session: TerminalSession) {
    for step in 0... {
        var canvas = Canvas(size: session.size)
        for (y, row) in MarkedTexts.rows(step: step).enumerated() {
            canvas.draw(row.text, x: 0, y: y, width: MarkedTexts.column)
            canvas.draw(MarkedTexts.sign, x: MarkedTexts.column, y: y, width: 1)
        }
        session.present(canvas)
        if waitForKey(tellingStep: step) == UInt8(ascii: "q") { return }
    }
}

/// Ends as a mistake in the program would.
@MainActor func crash(_ session: TerminalSession, _ place: String) {
    let canvas = canvas(ScreenScript(seed: 1, size: session.size, depth: .truecolor))
    session.present(canvas)
    let rows = session.size.rows
    guard !place.isEmpty else { return trap(rows) }
    let isFull = DispatchSemaphore(value: 0)
    let workers = WorkQueue(label: "crash", width: 1)
    PipelineActor.perform {
        workers.enqueue(
            priority: .visible,
            work: {
                if place == "full" { isFull.wait() }
                place == "overflow" ? print(overflow(rows)) : trap(rows)
            }, then: { _ in })
    }
    if place == "full" {
        repeat {
            session.screen.needsClear = true
            session.screen.present(canvas)
        } while session.output.isIdle
        isFull.signal()
    }
    while true { pause() }
}

func trap(_ rows: Int) {
    let empty: [Int] = []
    print(empty[rows])
}

/// Calls itself until the stack is used up.
func overflow(_ depth: Int) -> Int {
    depth < 0 ? 0 : overflow(depth + 1) + getpid().hashValue % 2
}

/// Follows the terminal's size as the event loop does, which is told of changes.
@MainActor func followSize(of session: TerminalSession) {
    var window = winsize()
    _ = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window)
    let size = CellSize(columns: Int(window.ws_col), rows: Int(window.ws_row))
    if size != session.size { session.screen.followSize() }
}

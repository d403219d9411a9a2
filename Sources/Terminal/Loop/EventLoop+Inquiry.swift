import Basics
import Browser
import Glibc
import Pipeline
import Raster

/// What the terminal tells about itself while the loop runs.
extension EventLoop {
    /// Asks the terminal; the answers come with the keys, whenever they come.
    ///
    /// Belongs before a frame that clears the screen: a terminal that does not understand may print something.
    func ask() {
        guard TerminalQuery.isFit(for: device.name) else { return }
        output.send(TerminalQuery.forScreen)
        inquiry.begin(at: SteadyClock.now)
    }

    /// Uses what the terminal has answered, if that is new.
    func handleReplies() {
        input.takeReplies().forEach { inquiry.note($0) }
        guard inquiry.hasSettled(at: SteadyClock.now) else { return }
        screen.synchronizesFrames = inquiry.report.synchronizesOutput
        model.adopt(inquiry.report.suited(model.style))
        painter = Self.painter(device, screen.depth, model.style)
    }

    /// Takes the answers that are on their way, before somebody else reads the terminal and takes them for typed.
    ///
    /// Blocks no longer than answers are waited for, counted from the question.
    func awaitReplies() {
        while let deadline = inquiry.deadline, case let now = SteadyClock.now, now < deadline {
            var entry = pollfd(fd: device.input, events: Int16(POLLIN), revents: 0)
            let milliseconds = Int32(((deadline - now) * 1000).rounded(.up))
            guard poll(&entry, 1, milliseconds) > 0, entry.revents == Int16(POLLIN) else { return }
            _ = input.drain(at: SteadyClock.now, expectsReplies: true)
            input.takeReplies().forEach { inquiry.note($0) }
        }
    }

    /// What the terminal answered, else what the system knows, which may count a border as cells.
    var cellAspect: Double { inquiry.report.cellAspect ?? device.cellAspect }

    static func painter(
        _ device: TerminalDevice, _ depth: ColorDepth, _ style: RenderStyle
    ) -> ScenePainter {
        ScenePainter(
            theme: Theme(
                depth: depth, signs: Signs(Signs.repertoire(of: device)),
                background: style.background, systemColors: style.systemColors))
    }
}

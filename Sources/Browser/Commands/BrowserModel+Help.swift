import Raster

extension BrowserModel {
    /// Runs a command on the list of keys.
    func runInHelp(_ command: Command, count: Int?) {
        let steps = count ?? 1
        let page = max(1, size.rows - 4)
        switch command {
        case .down: scrollHelp(by: steps)
        case .up: scrollHelp(by: -steps)
        case .pageDown: scrollHelp(by: page * steps)
        case .pageUp: scrollHelp(by: -page * steps)
        case .halfPageDown: scrollHelp(by: max(1, page / 2) * steps)
        case .halfPageUp: scrollHelp(by: -max(1, page / 2) * steps)
        case .first: helpRow = 0
        case .last: scrollHelp(by: helpScene(scrollRow: 0).lineCount)
        case .back, .help: helpRow = nil
        default: break
        }
    }

    /// Scrolls the list of keys; its last line stays on the screen.
    func scrollHelp(by rows: Int) {
        guard let row = helpRow else { return }
        // Four rows are top and bottom line and the panel's frame.
        let last = max(0, helpScene(scrollRow: 0).lineCount - max(1, size.rows - 4))
        helpRow = min(max(0, row + rows), last)
    }

    /// All keys, from the key map: one group after the other, each command with the keys that give it.
    func helpScene(scrollRow: Int) -> HelpScene {
        var groups: [HelpScene.Group] = []
        for binding in options.keys.bindings {
            let row = HelpScene.Row(
                keys: binding.keys.map(\.name).joined(separator: " "),
                text: binding.command.summary)
            if groups.last?.title == binding.group {
                groups[groups.count - 1].rows.append(row)
            } else {
                groups.append(HelpScene.Group(title: binding.group, rows: [row]))
            }
        }
        return HelpScene(groups: groups, scrollRow: scrollRow)
    }
}

extension HelpScene {
    /// The lines of all groups: a heading, the rows, and a free line between groups.
    ///
    /// `scrollRow` counts these.
    public var lineCount: Int {
        groups.reduce(0) { $0 + $1.rows.count + 2 } - (groups.isEmpty ? 0 : 1)
    }
}

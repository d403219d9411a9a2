import ArtMetrics

/// Somebody who draws pictures with characters.
protocol ArtProgram: Sendable {
    /// The name in tables.
    var name: String { get }

    /// The ways to fulfil `task` that are worth a try, the program's own choice first; none if it cannot.
    func manners(for task: ArtTask) -> [Manner]
}

/// One way of a program to draw: a set of options.
struct Manner: Sendable {
    /// What is special about it, for messages.
    let name: String
    /// The palette that it counts on; nil if the terminal's colours do not matter.
    let palette: TerminalPalette?
    /// Draws the picture in a file: what would go to the terminal.
    let draw: @Sendable (String) throws -> [UInt8]
}

/// A key, as the terminal's library names it.
public enum Key: Hashable, Sendable {
    /// A printable character, Shift included: `G`, `+`, space.
    case character(Unicode.Scalar)
    /// Control with a letter, in lower case: `control("d")`.
    case control(Unicode.Scalar)
    /// A function key, from 1.
    case function(Int)
    /// The keys with a name.
    case up, down, left, right, pageUp, pageDown, home, end, enter, escape, tab, backTab, backspace,
        delete
}

/// What the user, or the terminal, did.
public enum InputEvent: Hashable, Sendable {
    /// A key was pressed.
    case key(Key)
    /// The wheel was turned by `rows` (down positive) over the cell (`x`, `y`).
    case wheel(rows: Int, x: Int, y: Int)
    /// The first button was clicked on the cell (`x`, `y`).
    case click(x: Int, y: Int)
    /// The first button was clicked twice on the cell (`x`, `y`).
    case doubleClick(x: Int, y: Int)
}

/// What the view has to do beside drawing, after an input.
public enum Effect: Hashable, Sendable {
    /// Nothing.
    case none
    /// End the program.
    case quit
    /// Give the terminal back and stop until continued (`^Z`).
    case suspend
    /// Draw everything anew (`^L`).
    case redraw
    /// Ask the terminal to keep this text in the clipboard (OSC 52).
    case copy(String)
}

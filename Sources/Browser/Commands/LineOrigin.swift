import Gallery

/// Who gave a line with a command, as after `:`, or with another program's command line, as after `!`; this alone decides where it applies,
/// whether a question is asked first, and what it may do.
enum LineOrigin: Equatable {
    /// A person, at the prompt: applies to what is below it, and programs are run after a question.
    case typed
    /// A key, also one without a line: applies where keys do, and must not have come faster than people type.
    case bound
    /// What has happened to a picture, whose file is at `path` if that is not nil: programs have no terminal.
    case hook(Hook, Picture?, path: String?)
    /// Another program: applies to the gallery or viewer whatever covers it.
    case remote(RemoteRights)
}

/// What other programs may have done.
public enum RemoteRights: Sendable {
    /// Pictures shown, and moves.
    case showing
    /// What neither runs programs nor changes files.
    case browsing
    case everything
}

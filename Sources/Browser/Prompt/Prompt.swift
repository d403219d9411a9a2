/// The line that is being typed on the bottom line.
struct Prompt {
    /// What it is for.
    enum Purpose {
        /// Going to the next picture that holds the text.
        case find
        /// Showing only the pictures that hold it.
        case filter
    }

    /// What a key does to it.
    enum Answer {
        /// The text is another one, or the same.
        case typing
        /// Enter.
        case done
        /// Esc, or Backspace on an empty line.
        case cancelled
    }

    /// What it is for.
    let purpose: Purpose
    /// The picture that was selected when it was opened.
    let origin: PictureID?
    /// What has been typed.
    private(set) var text: String

    /// Longer than what anybody looks for; the rest is ignored.
    private static let longest = 100

    /// An empty line, or one that begins with `text`.
    init(purpose: Purpose, text: String = "", origin: PictureID? = nil) {
        self.origin = origin
        self.purpose = purpose
        self.text = text
    }

    /// As it is shown.
    var line: String {
        (purpose == .find ? "/" : "filter: ") + text
    }

    /// Takes a key; those that mean nothing here are ignored.
    mutating func take(_ key: Key) -> Answer {
        switch key {
        case .enter: return .done
        case .escape: return .cancelled
        case .backspace:
            if text.isEmpty { return .cancelled }
            text.removeLast()
        case .control("u"): text = ""
        case .character(let scalar):
            if text.unicodeScalars.count < Self.longest {
                text.unicodeScalars.append(scalar)
            }
        default: break
        }
        return .typing
    }
}

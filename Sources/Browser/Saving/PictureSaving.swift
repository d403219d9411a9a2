public import Gallery
public import Pipeline

/// Writes pictures into files; the view model knows neither folder nor network.
public protocol PictureSaving: Sendable {
    /// Fetches the largest known size of `picture` and writes it into a file of its own; callable on any thread.
    ///
    /// `completion` runs exactly once, on any thread, with the file's name or the reason why there is none.
    func save(
        _ picture: Picture, completion: @escaping @Sendable (Result<String, SaveError>) -> Void
    ) -> Subscription
}

/// Why a picture was not saved; the description is one line without the picture's name.
public enum SaveError: Error, Hashable, CustomStringConvertible {
    /// Its bytes did not come.
    case notFetched(String)
    /// What came is no picture.
    case noPicture
    /// The folder or the file cannot be written.
    case notWritten(String)

    /// The reason in plain words.
    public var description: String {
        switch self {
        case .notFetched(let reason): reason
        case .noPicture: "is no picture of a known format"
        case .notWritten(let reason): "cannot be written: \(reason)"
        }
    }
}

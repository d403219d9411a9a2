import Basics
import Browser
import Dispatch
import Gallery
import Network
import Pipeline

/// Resolves SOURCEs entered while the program runs, as on the command line; `~` is the user's home folder.
///
/// Runs on Dispatch's workers, since a path may be on a dead mount.
struct SourceFinder: SourceFinding {
    let workingFolder: String
    /// Empty if unknown.
    let home: String
    var fileServers = FileServers()
    /// Hears of what the user has typed.
    var note: Receiver<Address> = { _ in }
    /// Serial, so that the keys typed while a dead mount is asked for names hold one thread in all.
    var completing = DispatchQueue(label: "halftone.sources", qos: .userInitiated)

    /// The number of folder entries that are considered.
    private static let maxEntries = 100_000
    private static let maxChoices = 100

    func find(
        _ text: String, in folder: String?, isTyped: Bool,
        completion: @escaping Receiver<Result<Source, SourceError>>
    ) -> Subscription {
        DispatchQueue.userInitiated.cancellable { _ in
            completion(
                Result { () throws(SourceError) in
                    var source = try SourceParser(
                        workingDirectory: folder ?? workingFolder,
                        fileServers: isTyped ? fileServers : nil
                    ).source(text.expanded(home: home))
                    if isTyped { note(source.address) }
                    if source.address.isFile { source.argument = text }
                    return source.surroundings ?? source
                })
        }
    }

    func paths(
        beginningWith text: String, in folder: String?,
        completion: @escaping Receiver<[String]>
    ) -> Subscription {
        completing.cancellable { _ in completion(paths(text, in: folder ?? workingFolder)) }
    }

    private func paths(_ text: String, in base: String) -> [String] {
        let (folder, start) = text.atLastSlash
        let path = folder.expanded(home: home)
        let absolute = path.hasPrefix("/") ? path : "\(base)/\(path)"
        let names = fileNames(in: absolute, limit: Self.maxEntries) ?? []
        // Names with control characters can neither be typed nor be shown safely.
        return names.filter { $0.hasPrefix(start) && $0 == $0.withoutControls }
            .sorted().prefix(Self.maxChoices).map { name in
                let isFolder = FileKind(atPath: "\(absolute)/\(name)") == .folder
                return "\(folder)\(name)\(isFolder ? "/" : "")"
            }
    }
}

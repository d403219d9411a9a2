import Basics

/// Turns the names of an archive's entries into paths: unique, without steps that lead out, and without losing an entry.
struct EntryNames {
    private var taken: [String: Int] = [:]

    /// Maximum depth of folders, the same as for local folders.
    private static let maxDepth = 64
    /// The longest path on Linux, in bytes.
    private static let maxBytes = 4096

    /// Returns the path for an entry of that name; nil if the name is unusable.
    ///
    /// Invalid UTF-8 is decoded as Latin-1: some letters may be wrong, but none is lost.
    mutating func path(for name: [UInt8]) -> String? {
        guard !name.isEmpty, name.count <= Self.maxBytes else { return nil }
        let text =
            String(validating: name, as: UTF8.self)
            ?? String(String.UnicodeScalarView(name.map { Unicode.Scalar($0) }))
        let steps = text.utf8.split(separator: UInt8(ascii: "/")).map { step in
            String(decoding: step, as: UTF8.self).withoutControls
        }.filter { !["", ".", ".."].contains($0) }
        guard !steps.isEmpty, steps.count <= Self.maxDepth else { return nil }
        return unique(steps.joined(separator: "/"))
    }

    /// Makes the path unique: `a.jpg`, then `a (2).jpg`.
    private mutating func unique(_ path: String) -> String {
        guard let count = taken[path] else {
            taken[path] = 1
            return path
        }
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let point = path[slash...].lastIndex(of: ".") ?? path.endIndex
        for number in (count + 1)... {
            let other = path[..<point] + " (\(number))" + path[point...]
            guard taken[String(other)] == nil else { continue }
            taken[path] = number
            taken[String(other)] = 1
            return String(other)
        }
        return path
    }
}

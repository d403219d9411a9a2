import Basics

/// The names of an archive's entries as paths: each once, none that leads out, and none lost.
struct EntryNames {
    private var taken: [String: Int] = [:]

    /// Levels of folders, as for folders of this machine.
    private static let maxDepth = 64
    /// The longest path of Linux, in bytes.
    private static let maxBytes = 4096

    /// The path for an entry of that name; nil if there is none.
    ///
    /// What is no UTF-8 is read as Latin 1, whose letters may be wrong but are as many.
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

    /// `a.jpg`, then `a (2).jpg`.
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

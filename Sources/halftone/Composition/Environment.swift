import Glibc

/// The environment of the process as a value, so that tests can replace it.
struct Environment: Sendable {
    var variables: [String: String]
    /// The absolute path of the working directory.
    var workingFolder: String
    /// The absolute path of the executable, with symlinks resolved.
    var executable: String

    /// Returns the environment of this process.
    static func current() -> Environment {
        var variables: [String: String] = [:]
        var entry = environ
        while let pointer = entry.pointee {
            let parts = String(cString: pointer)
                .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
            entry += 1
        }
        return Environment(
            variables: variables, workingFolder: resolved(".") ?? "/",
            executable: resolved("/proc/self/exe") ?? resolved(CommandLine.arguments[0]) ?? "")
    }

    /// Returns an XDG base directory: `$variable`, else `$HOME/fallback`; relative values are ignored, as the specification requires.
    func folder(_ variable: String, fallback: String) -> String? {
        if let path = variables[variable], path.hasPrefix("/") { return path + "/halftone" }
        return variables["HOME"].map { $0 + "/" + fallback + "/halftone" }
    }

    /// Returns the resource folder: `$HALFTONE_RESOURCES`, else in the package that contains the executable, else `PREFIX/share/halftone`.
    func resources() -> String? {
        if let folder = variables["HALFTONE_RESOURCES"], !folder.isEmpty { return folder }
        var ancestor = executable
        // .build/x86_64-unknown-linux-gnu/release/halftone is four levels below the package.
        for _ in 0..<5 {
            guard let slash = ancestor.lastIndex(of: "/") else { break }
            ancestor = String(ancestor[..<slash])
            for folder in [ancestor + "/Resources", ancestor + "/share/halftone"]
            where access(folder + "/Gallery/index.html", R_OK) == 0 {
                return folder
            }
        }
        return nil
    }

    private static func resolved(_ path: String) -> String? {
        guard let pointer = realpath(path, nil) else { return nil }
        defer { free(pointer) }
        return String(cString: pointer)
    }
}

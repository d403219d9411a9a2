import Basics
import Glibc

/// The environment of the process as a value, so that tests can replace it.
struct Environment {
    /// The arguments, beginning with the program's name.
    var arguments: [String] = []
    var variables: [String: String]
    /// The absolute path of the working directory.
    var workingFolder: String
    /// The absolute path of the executable, with symlinks resolved.
    var executable: String

    /// Returns the environment of this process, with the arguments that another machine has sent (`SSHHost`); must be called
    /// before anything changes `environ`.
    static func current() -> Environment {
        // `CommandLine` repairs what is not UTF-8, and traps without /proc. On Linux the arguments and a null stand right before the
        // variables, and the count of arguments before those (System V ABI, Initial Process Stack).
        var arguments: [String] = []
        var place = environ - 2
        while Int(bitPattern: place.pointee) != arguments.count, let pointer = place.pointee {
            arguments.append(String(systemName: pointer))
            place -= 1
        }
        arguments.reverse()
        if arguments.count == 3, arguments[1] == SSHHost.sentArguments {
            arguments[1...] =
                (smallFile(arguments[2], limit: 1 << 20) ?? [])
                .split(separator: 0, omittingEmptySubsequences: false)
                .map { String(systemBytes: $0) }[...]
        }
        var variables: [String: String] = [:]
        var entry = environ
        while let pointer = entry.pointee {
            let (name, value) = String(systemName: pointer).halves(at: "=")
            if let value { variables[name] = value }
            entry += 1
        }
        return Environment(
            arguments: arguments, variables: variables, workingFolder: realPath(".") ?? "/",
            executable: realPath("/proc/self/exe") ?? arguments.first.flatMap(realPath) ?? "")
    }

    /// The user's home folder; empty if there is none.
    var home: String { variables["HOME"] ?? "" }

    /// Returns a number of cells, 1 to 1000; nil if the variable holds none.
    func cells(_ variable: String) -> Int? {
        variables[variable].flatMap { Int($0) }.flatMap { (1...1000).contains($0) ? $0 : nil }
    }

    /// Returns the folder `name` in an XDG base directory: `$variable`, else `$HOME/fallback`; relative values are ignored, as the specification requires.
    func folder(
        _ variable: String, fallback: String, name: String = "/halftone"
    ) -> String? {
        if let path = variables[variable], path.hasPrefix("/") { return "\(path)\(name)" }
        return variables["HOME"].map { "\($0)/\(fallback)\(name)" }
    }

    /// The folder of the state database; nil if there is no home.
    var stateFolder: String? { folder("XDG_STATE_HOME", fallback: ".local/state") }

    /// The folder of the sockets of this user's running programs, which is made if need be; nil where others may change it.
    var socketFolder: String? {
        let runtime = variables["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        guard
            let folder = variables[PicturePane.variable] ?? runtime.map({ "\($0)/halftone" })
                ?? stateFolder.map({ "\($0)/run" })
        else { return nil }
        makeFolder(folder, mode: 0o700)
        guard let status = linkStatus(folder), status.kind == S_IFDIR,
            status.st_uid == geteuid(), status.st_mode & 0o077 == 0
        else { return nil }
        return folder
    }

    /// The folder of the user's recipes; nil if there is no home.
    var recipes: String? {
        folder("XDG_CONFIG_HOME", fallback: ".config", name: "/halftone/recipes")
    }

    /// Returns the resource folder: `$HALFTONE_RESOURCES`, else in the package that contains the executable, else `PREFIX/share/halftone`.
    func resources() -> String? {
        if let folder = variables["HALFTONE_RESOURCES"], !folder.isEmpty { return folder }
        var ancestor = executable
        // .build/x86_64-unknown-linux-gnu/release/halftone is four levels below the package.
        for _ in 0..<5 {
            guard let slash = ancestor.lastIndex(of: "/") else { break }
            ancestor = String(ancestor[..<slash])
            for folder in ["\(ancestor)/Resources", "\(ancestor)/share/halftone"]
            where access("\(folder)/Gallery/index.html".cPath, R_OK) == 0 {
                return folder
            }
        }
        return nil
    }

    /// Returns the folder of the profile of Firefox with this name or path, or of the one that was used last; nil if there is none.
    ///
    /// Blocks on the disk.
    func firefoxProfile(_ name: String) -> String? {
        if name.hasPrefix("/") { return name }
        let roots = [
            "/.mozilla", "/.config/mozilla", "/snap/firefox/common/.mozilla",
            "/.var/app/org.mozilla.firefox/.mozilla",
        ].map { "\(home)\($0)/firefox/" }
        let profiles = roots.flatMap { root in
            // Their folders are named x1y2z3.name.
            (fileNames(in: root, limit: 1_000) ?? []).filter { folder in
                name.isEmpty || folder == name || folder.hasSuffix(".\(name)")
            }.map { root + $0 }
        }
        func modified(_ profile: String) -> Int {
            FileIdentity(path: "\(profile)/cookies.sqlite")?.modified ?? 0
        }
        return profiles.max { modified($0) < modified($1) }
    }
}

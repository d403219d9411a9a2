import Basics
import Glibc

extension Environment {
    /// Returns the folder of the profile of Firefox with this name or path, or of the one that it opens by itself; nil if there is none.
    ///
    /// Blocks on the disk.
    func firefoxProfile(_ name: String) -> String? {
        let home = variables["HOME"] ?? ""
        let places = ["", "/snap/firefox/common", "/.var/app/org.mozilla.firefox"]
        let roots =
            [folder("XDG_CONFIG_HOME", fallback: ".config", name: "/mozilla/firefox") ?? ""]
            + places.map { home + $0 + "/.mozilla/firefox" }
        let profiles = roots.flatMap { root in
            let sections = ["/installs.ini", "/profiles.ini"].flatMap { file in
                String(utf8: smallFile(root + file, limit: 1 << 16) ?? []).split(separator: "[")
                    .map { section in
                        Dictionary(
                            section.split(whereSeparator: \.isNewline).map { line in
                                let name = line.prefix { $0 != "=" }
                                return (name, String(line[name.endIndex...].dropFirst()))
                            }
                        ) { $1 }
                    }
            }
            let own = sections.filter { name.isEmpty ? $0["Default"] == "1" : $0["Name"] == name }
            // Each installation of Firefox has its own.
            let first = name.isEmpty ? sections.compactMap { $0["Default"] } : [name]
            return (first + own.compactMap { $0["Path"] }).map {
                $0.hasPrefix("/") ? $0 : root + "/" + $0
            }
        }
        return profiles.first { access(($0 + "/cookies.sqlite").cPath, R_OK) == 0 }
    }
}

import Basics
import CUnibilium
import Glibc

/// A terminal's description, an entry of the terminfo database (term(5)): libunibilium reads, changes and writes it.
struct TermInfo: Sendable {
    /// The entry as files have it; empty if it is larger than ncurses takes.
    let compiled: [CChar]
    /// The terminal's first name.
    let name: String
    /// The number of colours; 0 if it has none.
    let colors: Int
    /// Whether an extended capability, `RGB` or `Tc`, says that it has 24-bit colours.
    let hasDirectColor: Bool
    /// Whether it has the sequences written by `TerminalSequence.scroll`.
    let scrollsLikeAnsi: Bool
    /// Whether it has the sequences written by `CellWriter`, and ncurses can be kept from touching its cells.
    ///
    /// Without `xenl`, ncurses needs to insert characters to reach the last cell of the screen.
    let takesPictures: Bool

    /// The largest entry that is read; ncurses rejects larger ones.
    private static let maxSize = 32_768

    /// Finds the entry of `TERM` in ncurses' order of directories (terminfo(5)); nil if there is none.
    init?(environment: EnvironmentVariables) {
        let name = environment.term
        guard let first = name.utf8.first, !name.contains("/"), !name.hasPrefix(".") else {
            return nil
        }
        let own = [environment["TERMINFO"], environment["HOME"].map { $0 + "/.terminfo" }]
        // Debian's directories first, then those of other distributions and local installations.
        let common = "/etc:/lib:/usr/share:/usr/lib:/usr/local/share".split(separator: ":")
        let directories =
            own.compactMap(\.self)
            + (environment["TERMINFO_DIRS"]?.split(separator: ":").map(String.init) ?? [])
            + common.map { $0 + "/terminfo" }
        // By first letter, or by its code on case-insensitive file systems.
        for directory in directories {
            for folder in [String(UnicodeScalar(first)), String(first, radix: 16)] {
                let path = "\(directory)/\(folder)/\(name)"
                if let bytes = smallFile(path, limit: Self.maxSize),
                    let entry = Self(bytes.map(CChar.init(bitPattern:)))
                {
                    self = entry
                    return
                }
            }
        }
        return nil
    }

    /// Reads a compiled entry; nil if it is malformed.
    init?(_ compiled: [CChar]) {
        guard let entry = unibi_from_mem(compiled, compiled.count) else { return nil }
        self.init(entry)
    }

    /// Creates it from libunibilium's `entry`, which is destroyed.
    init(_ entry: OpaquePointer) {
        defer { unibi_destroy(entry) }
        compiled = [CChar](unsafeUninitializedCapacity: Self.maxSize) { buffer, count in
            let size = unibi_dump(entry, buffer.baseAddress, Self.maxSize)
            count = (0...Self.maxSize).contains(size) ? size : 0
        }
        name = String(cString: unibi_get_aliases(entry)[0] ?? unibi_get_name(entry))
        colors = max(0, Int(unibi_get_num(entry, unibi_max_colors)))
        func isDirectColor(_ name: UnsafePointer<CChar>?) -> Bool {
            ["RGB", "Tc"].contains(name.map { String(cString: $0) })
        }
        hasDirectColor =
            (0..<unibi_count_ext_bool(entry)).contains {
                isDirectColor(unibi_get_ext_bool_name(entry, $0))
                    && unibi_get_ext_bool(entry, $0) == 1
            }
            || (0..<unibi_count_ext_num(entry)).contains {
                isDirectColor(unibi_get_ext_num_name(entry, $0))
                    && unibi_get_ext_num(entry, $0) > 0
            }
            || (0..<unibi_count_ext_str(entry)).contains {
                isDirectColor(unibi_get_ext_str_name(entry, $0))
                    && unibi_get_ext_str(entry, $0) != nil
            }
        func hasXterms(_ capabilities: [unibi_string]) -> Bool {
            Self.sequences.allSatisfy { capability, sequence in
                !capabilities.contains(capability)
                    || unibi_get_str(entry, capability).map { strcmp($0, sequence.cString) } == 0
            }
        }
        scrollsLikeAnsi = hasXterms([
            unibi_change_scroll_region, unibi_scroll_forward, unibi_scroll_reverse,
            unibi_save_cursor, unibi_restore_cursor,
        ])
        takesPictures =
            scrollsLikeAnsi && unibi_get_bool(entry, unibi_auto_right_margin) == 1
            && unibi_get_bool(entry, unibi_eat_newline_glitch) == 1
            && hasXterms([unibi_cursor_address, unibi_parm_right_cursor, unibi_carriage_return])
            && unibi_get_str(entry, unibi_exit_attribute_mode)?.pointee == 0x1B
    }

    /// Returns libunibilium's entry, which the caller destroys.
    func open() -> OpaquePointer? { unibi_from_mem(compiled, compiled.count) }

    /// The sequence of a capability; nil if it is absent.
    subscript(capability: unibi_string) -> String? {
        guard let entry = open() else { return nil }
        defer { unibi_destroy(entry) }
        return unibi_get_str(entry, capability).map { String(cString: $0) }
    }

    /// The entry as a value of `$TERMINFO`, which ncurses uses instead of a file ("quick-dump", terminfo(5)).
    var quickDump: String {
        "hex:"
            + compiled.map { String(0x100 | Int(UInt8(bitPattern: $0)), radix: 16).dropFirst() }
            .joined()
    }
}

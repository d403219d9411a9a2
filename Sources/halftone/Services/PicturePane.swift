import Basics
import Gallery
import Glibc
import Network
import Remote

/// The pane in which other programs' pictures are shown: that of a program that runs beside, or else a new one.
struct PicturePane {
    let environment: Environment
    var split = Options.Split()

    /// The folder of the sockets, for the program in a new pane.
    static let variable = "HALFTONE_PANE"

    /// What panes beside each other have in common, the nearest first; a window of kitty's or WezTerm's is known by its program.
    static func places(_ variables: [String: String]) -> [String] {
        ["TMUX", "ZELLIJ_SESSION_NAME", "KITTY_PID", "WEZTERM_UNIX_SOCKET"].compactMap { name in
            variables.firstFilled(name).map { "\(name)=\($0)" }
        }
    }

    /// Shows what has these absolute paths and addresses; returns false if there is no such pane, and throws if the program there refuses.
    ///
    /// Blocks until that program has answered, and while another program is opening a pane.
    func show(_ names: [String]) throws(RemoteError) -> Bool {
        let lock = environment.socketFolder.map {
            Glibc.open("\($0)/lock".cPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        }
        if let lock { flock(lock, LOCK_EX) }
        let path = socket ?? (openPane() ? awaitedSocket() : nil)
        lock.map { _ = close($0) }
        guard let path else { return false }
        for name in names { _ = try RemoteControl.ask("show \(name)", at: path) }
        return true
    }

    /// The socket of the program that has started this one, or else of the nearest that runs, and of these the one used last; those of
    /// programs that are gone are removed.
    var socket: String? {
        if let path = environment.variables.firstFilled("HALFTONE_SOCKET"),
            access(path.cPath, F_OK) == 0
        {
            return path
        }
        guard let folder = environment.socketFolder else { return nil }
        let own = Self.places(environment.variables)
        let found = (fileNames(in: folder, limit: 1000) ?? []).compactMap {
            name -> (path: String, distance: Int, used: Int)? in
            let path = "\(folder)/\(name)"
            guard pid_t(name) != nil else { return nil }
            // One that is starting has a socket at which it does not listen yet.
            if access("/proc/\(name)", F_OK) != 0 { RemoteServer.removeDead(path) }
            // One that is suspended answers nothing.
            let status = String(utf8: smallFile("/proc/\(name)/stat", limit: 999) ?? [])
            if status.split(separator: ") ").last?.first == "T" { return nil }
            let answer = try? RemoteControl.ask("get_property beside", at: path)
            guard let value = answer.flatMap({ LooseParser.value(of: $0.bytes) }) else {
                return nil
            }
            let others = value["places"]?.elements.compactMap(\.text) ?? []
            let distance = own.firstIndex(where: others.contains) ?? own.count
            return (path, distance, value["used"]?.integer ?? 0)
        }
        return found.min { ($0.distance, $1.used) < ($1.distance, $0.used) }?.path
    }

    /// Returns the socket of the program in a new pane, for which it waits up to half a minute, as on a busy machine.
    private func awaitedSocket() -> String? {
        for _ in 0..<600 {
            if let socket { return socket }
            usleep(50_000)
        }
        return nil
    }

    /// Opens a pane beside this one; returns false if nothing here can.
    private func openPane() -> Bool {
        guard let folder = environment.socketFolder else { return false }
        let ways = [
            "TMUX": [
                "tmux", "split-window", "-d", split.isBelow ? "-v" : "-h", "-l",
                "\(split.percent)%",
            ],
            "ZELLIJ_SESSION_NAME": [
                "zellij", "run", "--close-on-exit", "--direction",
                split.isBelow ? "down" : "right", "--",
            ],
            "KITTY_PID": [
                "kitty", "@", "launch", "--keep-focus", "--location",
                split.isBelow ? "hsplit" : "vsplit",
            ],
            "WEZTERM_UNIX_SOCKET": [
                "wezterm", "cli", "split-pane", split.isBelow ? "--bottom" : "--right",
                "--percent", "\(split.percent)", "--",
            ],
        ]
        let call = ["env", "\(Self.variable)=\(folder)", environment.executable, "--show"]
        return Self.places(environment.variables).contains { place in
            let way = ways[place.halves(at: "=").head] ?? []
            return ChildProcess(way + call, [nil, nil, nil], isDetached: false).outcome.status == 0
        }
    }
}

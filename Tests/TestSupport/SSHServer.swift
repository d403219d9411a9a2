import Glibc

/// OpenSSH's server with its sftp on the loopback interface: an ordinary process with a key and a configuration of its own.
///
/// It admits the user of this process, by the key in `.ssh` of the folder, which is the home of programs under test.
public final class SSHServer: Sendable {
    /// The port.
    public let port: Int
    /// The address of the server, without a path.
    public var address: String { "sftp://\(user)@127.0.0.1:\(port)" }
    private let user: String
    private let folder: String
    private let tool: Tool

    /// Starts the server, and waits until it listens; its key is not known to programs yet.
    ///
    /// What is asked over sftp is answered by `command`.
    public init(home: ScratchFolder, command: String = "internal-sftp") throws {
        folder = home.path
        user = getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? "root"
        mkdir(folder + "/.ssh", 0o700)
        let own = folder + "/.ssh/id_ed25519"
        for key in [own, folder + "/host-key"] where access(key, R_OK) != 0 {
            try Tool.run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", key])
        }
        // The server of a system would have made it.
        if geteuid() == 0 { mkdir("/run/sshd", 0o755) }
        var failure: any Error = ServerError(call: "bind", code: EADDRINUSE)
        for _ in 0..<5 {
            do {
                let port = try LoopbackServer.freePort()
                let settings = """
                    ListenAddress 127.0.0.1:\(port)
                    HostKey \(folder)/host-key
                    AuthorizedKeysFile \(own).pub
                    Subsystem sftp internal-sftp
                    ForceCommand \(command)
                    StrictModes no
                    UsePAM no
                    PidFile none
                    """
                let file = try home.write(settings, to: "sshd-\(port)")
                let tool = try Tool("/usr/sbin/sshd", ["-D", "-e", "-f", file])
                try tool.waitFor("Server listening")
                (self.port, self.tool) = (port, tool)
                return
            } catch {
                failure = error
            }
        }
        throw failure
    }

    /// Makes the server's key, or that of another port, known to programs whose home is the folder.
    public func trust(keyOf other: Int? = nil) throws {
        let key = try Tool.output(of: "cat", [folder + "/host-key.pub"]).first ?? ""
        let path = folder + "/.ssh/known_hosts"
        guard let file = fopen(path, "a") else { throw ServerError(call: "fopen", code: errno) }
        fputs("[127.0.0.1]:\(other ?? port) \(key)\n", file)
        fclose(file)
    }

    /// Stops the server, not its connections.
    public func stop() { tool.stop() }
}

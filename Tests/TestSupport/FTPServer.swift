/// Servers for ftp on the loopback interface, in Python: pyftpdlib (package python3-pyftpdlib), or a hostile one.
public final class FTPServer: Sendable {
    /// The port.
    public let port: Int
    private let tool: Tool

    /// Starts pyftpdlib with `folder` for the user `reader`, whose password is `pass:word`.
    public convenience init(folder: String) throws {
        try self.init(script: Self.pyftpdlib, [folder])
    }

    /// Starts a server whose folder has hostile names, and that sends clients to another host for its data; over TLS with a certificate.
    public convenience init(hostile picture: String, _ certificate: TestCertificate? = nil) throws {
        try self.init(
            script: Self.hostile,
            [picture] + (certificate.map { [$0.path, $0.key] } ?? []))
    }

    private init(script: String, _ arguments: [String]) throws {
        tool = try Tool("/usr/bin/python3", ["-u", "-c", script] + arguments)
        try tool.waitFor("listening.")
        port =
            tool.lines.compactMap { line in
                line.hasPrefix("port ") ? Int(line.dropFirst(5)) : nil
            }.first ?? 0
    }

    /// Stops the server and returns what it has written.
    @discardableResult public func stop() -> [String] { tool.stop() }

    private static let pyftpdlib = """
        import sys
        from pyftpdlib.authorizers import DummyAuthorizer
        from pyftpdlib.handlers import FTPHandler
        from pyftpdlib.servers import FTPServer
        FTPHandler.authorizer = DummyAuthorizer()
        FTPHandler.authorizer.add_user("reader", "pass:word", sys.argv[1], perm="elr")
        FTPHandler.auth_failed_timeout = 0
        server = FTPServer(("127.0.0.1", 0), FTPHandler)
        print("port", server.address[1])
        print("listening.")
        server.serve_forever()
        """

    /// Data connections are accepted at both addresses; who comes to the other one is written down.
    private static let hostile = """
        import socket, ssl, sys, threading
        picture = open(sys.argv[1], "rb").read()
        context = None
        if len(sys.argv) > 2:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(sys.argv[2], sys.argv[3])
        names = ["good one.png", "../up.png", "/etc/passwd.png", "a/b.png", "esc\\x1b[2Jx.png",
                 "bell\\x07.png", ".hidden.png", "caf\\xe9.png"]
        lines = ["total 9", "nonsense", "-rw"] + [
            "-rw-r--r-- 1 jan may 4096 Nov 25 2024 " + name for name in names] + [
            "drwxr-xr-x 2 0 0 4096 Nov 25 2024 ..", "drwxr-xr-x 2 0 0 4096 Nov 25 2024 ../..",
            "lrwxrwxrwx 1 0 0 4 Nov 25 2024 loop -> .", "-rw-r--r-- 1 0 0 99 25 Nov 2024 day first.png",
            "crw-rw-rw- 1 0 0 1, 3 Nov 25 2024 device.png"]
        def secured(connection):
            return context.wrap_socket(connection, server_side=True) if context else connection
        def serve(connection):
            try:
                connection = secured(connection)
                file = connection.makefile("rwb")
                def say(line):
                    file.write(line.encode() + b"\\r\\n"); file.flush()
                say("220 \\x1b[2Jhello")
                data = None
                for line in file:
                    word = line.split()[0].decode().upper()
                    if word == "USER": say("331 password")
                    elif word == "PASS": say("230 in")
                    elif word == "PWD": say('257 "/"')
                    elif word in ("CWD", "TYPE", "PBSZ", "PROT"): say("200 ok")
                    elif word == "PASV":
                        here, there = socket.socket(), socket.socket()
                        here.bind(("127.0.0.1", 0))
                        port = here.getsockname()[1]
                        there.bind(("127.0.0.2", port))
                        here.listen(); there.listen()
                        def watch(other=there):
                            other.accept()
                            print("reached the other host")
                        threading.Thread(target=watch, daemon=True).start()
                        data = here
                        say("227 go to (127,0,0,2,%d,%d)" % (port >> 8, port & 255))
                    elif word in ("LIST", "RETR"):
                        say("150 coming")
                        pipe = secured(data.accept()[0])
                        pipe.sendall(picture if word == "RETR" else b"".join(
                            line.encode("latin-1") + b"\\r\\n" for line in lines))
                        if context: pipe.unwrap()
                        pipe.close()
                        say("226 done")
                    else: say("502 no " + word)
            except Exception as error:
                print("ended:", error)
        server = socket.socket()
        server.bind(("127.0.0.1", 0))
        server.listen()
        print("port", server.getsockname()[1])
        print("listening.")
        while True:
            threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()
        """
}

import Glibc

/// Starts programs for tests with no signal blocked or ignored, whatever the test runner does.
enum ChildStart {
    /// Starts `program`, found in PATH if its name has no slash, in this process's environment if none is given.
    static func spawn(
        _ program: String, _ arguments: [String], environment: [String: String]? = nil,
        actions: inout posix_spawn_file_actions_t, inOwnSession: Bool = true
    ) throws(PtyProcess.SystemError) -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        prepare(&attributes, inOwnSession: inOwnSession)
        var child: pid_t = 0
        let status = withCStrings([program] + arguments) { arguments in
            guard let environment else {
                return posix_spawnp(&child, program, &actions, &attributes, arguments, environ)
            }
            return withCStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
                posix_spawnp(&child, program, &actions, &attributes, arguments, environment)
            }
        }
        guard status == 0 else { throw PtyProcess.SystemError(call: "posix_spawn", number: status) }
        return child
    }

    private static func prepare(_ attributes: inout posix_spawnattr_t, inOwnSession: Bool) {
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        // POSIX_SPAWN_SETSID is a macro that does not import.
        let ownSession: Int32 = inOwnSession ? 0x80 : 0
        posix_spawnattr_setflags(
            &attributes, Int16(ownSession | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    }

    private static func withCStrings<Result>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = texts.map { strdup($0) }
        defer { pointers.forEach { free($0) } }
        return body(pointers + [nil])
    }
}

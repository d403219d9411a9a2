import Basics
import Dispatch
import Gallery
import Glibc
import Network
import Pipeline

/// A program whose output is read while it runs; usable from any thread.
final class ProgramOutput: Sendable {
    /// Its process, and why it was stopped.
    private let state = Locked((process: pid_t?.none, failure: PageError?.none))

    /// In seconds; as long as the longest transfer may take.
    private static let longest = 600

    /// Kills it and everything it has started, for this reason.
    func stop(_ failure: PageError) {
        state.withLock { state in
            state.failure = state.failure ?? failure
            state.process.map { _ = kill(-$0, SIGKILL) }
        }
    }

    /// Runs the program, passing on what it prints; returns why it failed, if it did.
    ///
    /// Blocks until it has ended.
    func read(
        _ words: [String], limit: Int, _ receive: (ArraySlice<UInt8>) -> Void
    ) -> PageError? {
        guard let (reader, writer) = ChildProcess.channel(),
            let (said, speaker) = ChildProcess.channel()
        else { return .document(systemReason(errno)) }
        defer { close(reader) }
        // However much it says, its last words are enough.
        let errors = OpenFile(temporaryIn: temporaryFolder)
        let listener = ChildProcess(["tail", "-c", "4096"], [said, errors?.descriptor, nil])
        let run = ChildProcess(words, [nil, writer, speaker])
        let leash = run.leash()
        [writer, said, speaker].forEach { close($0) }
        state.withLock { $0.process = run.process }
        state.withLock(\.failure).map(stop)
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.longest)) {
            [weak self] in
            self?.stop(.fetch(.timedOut(seconds: Self.longest)))
        }
        var count = 0
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let got = Glibc.read(reader, &buffer, buffer.count)
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { break }
            count += got
            if count > limit { stop(.fetch(.tooLarge(limit: limit))) }
            receive(buffer[..<got])
        }
        _ = listener.outcome
        let failure = run.failure(saying: errors)
        leash.release(ends: false)
        return state.withLock { state in
            state.process = nil
            return state.failure ?? failure.map { .document($0) }
        }
    }

    /// Returns a function for `NetworkOptions.login`, which runs the program when it is first called; the password is the first line that
    /// it prints.
    static func login(
        of user: String, by program: [String]
    ) -> @Sendable () -> NetworkOptions.Login {
        let login = Locked(NetworkOptions.Login.failure(.cancelled))
        let hasBegun = Locked(false)
        return {
            if !hasBegun.exchange(true) {
                DispatchQueue(label: "halftone.run").asyncGuarded {
                    var bytes: [UInt8] = []
                    let failure = ProgramOutput().read(program, limit: 4096) { bytes += $0 }
                    let password = String(utf8: bytes.prefix { $0 != "\n" })
                    _ = login.exchange(
                        failure.map { .failure(.other("no password: \($0)")) }
                            ?? .success("\(user):\(password)"))
                }
            }
            return login.current
        }
    }
}

import Glibc

/// Runs `body` while nothing that libraries write to standard error appears on the screen, as libjxl does of every broken
/// file and GLib of fonts.
///
/// Only where standard error is a terminal, most likely the one that is drawn on; a file gets everything.
func withQuietStandardError<Result>(_ body: () -> Result) -> Result {
    guard isatty(STDERR_FILENO) == 1 else { return body() }
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    let kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    defer {
        if kept >= 0 {
            dup2(kept, STDERR_FILENO)
            close(kept)
        }
    }
    if nowhere >= 0 {
        if kept >= 0 { dup2(nowhere, STDERR_FILENO) }
        close(nowhere)
    }
    return body()
}

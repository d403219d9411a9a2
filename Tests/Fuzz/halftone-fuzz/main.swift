// Runs one target on what libFuzzer makes up: halftone-fuzz TARGET [libFuzzer's arguments and folders]. Lists the targets without one.
import CFuzzer
import Glibc

guard CommandLine.arguments.count > 1, FuzzTarget.chosen != nil else {
    for target in FuzzTarget.all { print(target.name) }
    exit(CommandLine.arguments.count > 1 ? 2 : 0)
}

// libFuzzer reads its arguments behind the program's name.
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv + 1
arguments?.pointee = CommandLine.unsafeArgv[0]
var count = CommandLine.argc - 1
exit(
    LLVMFuzzerRunDriver(&count, &arguments) { start, count in
        FuzzTarget.chosen?.run(Array(UnsafeBufferPointer(start: start, count: count)))
        return 0
    })

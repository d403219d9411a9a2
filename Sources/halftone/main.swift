import Basics
import Glibc
import Thumbnails

openStandardDescriptors()
Heap.shareArenas()
let program = Program(environment: .current(), startSandbox: DecoderProcess.start)
// Without exit handlers: those of TLS, fonts and codecs take apart what threads still use, and everything is written by now.
_exit(program.run(Array(CommandLine.arguments.dropFirst())))

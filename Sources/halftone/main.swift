import Basics
import Glibc
import Thumbnails

openStandardDescriptors()
Heap.shareArenas()
let program = Program(environment: .current(), startSandbox: DecoderProcess.start)
// Skips exit handlers: those of TLS, fonts and codecs tear down what threads still use, and everything has been written by now.
_exit(program.run(Array(CommandLine.arguments.dropFirst())))

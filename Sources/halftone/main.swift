import Basics
import Glibc
import Thumbnails

openStandardDescriptors()
Heap.shareArenas()
let environment = Environment.current()
let program = Program(environment: environment, startSandbox: DecoderWork.start)
// Skips exit handlers: those of TLS, fonts and codecs tear down what threads still use, and everything has been written by now.
_exit(program.run(Array(environment.arguments.dropFirst())))

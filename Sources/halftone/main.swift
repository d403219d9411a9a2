import Glibc
import Thumbnails

openStandardDescriptors()
// Before there are threads, and before anything from outside is read.
let sandbox = CommandLine.arguments.contains("--no-sandbox") ? nil : DecoderProcess.start()
let program = Program(environment: .current(), sandbox: sandbox)
// Without exit handlers: those of TLS, fonts and codecs take apart what threads still use, and everything is written by now.
_exit(program.run(Array(CommandLine.arguments.dropFirst())))

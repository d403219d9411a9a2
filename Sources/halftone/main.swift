import Glibc

openStandardDescriptors()
// Without exit handlers: those of TLS, fonts and codecs take apart what threads still use, and everything is written by now.
_exit(Program(environment: .current()).run(Array(CommandLine.arguments.dropFirst())))

import Glibc

exit(Program(environment: .current()).run(Array(CommandLine.arguments.dropFirst())))

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

exit(Program(environment: .current()).run(Array(CommandLine.arguments.dropFirst())))

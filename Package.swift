// swift-tools-version: 6.2
import PackageDescription

/// The settings of every Swift target.
/// - ExistentialAny: https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
/// - InternalImportsByDefault: https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
///   keeps a C library's types out of every public interface.
/// - MemberImportVisibility: https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// Of the library targets: optimized in debug builds too, where the tests compute rather than wait.
let optimized = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: optimized)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: optimized)
}

func tests(
    _ name: String, _ dependencies: [Target.Dependency], excluding files: [String] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies + ["TestSupport", "TestTraits"], exclude: files,
        swiftSettings: strict)
}

let package = Package(
    name: "halftone",
    products: [.executable(name: "halftone", targets: ["halftone"])],
    targets: [
        // C libraries. `ncursesw` has no pkgConfig: SwiftPM drops its flags, and wide characters with them.
        .systemLibrary(
            name: "CNcurses", providers: [.apt(["libncurses-dev"])]),
        .systemLibrary(
            name: "CUnibilium", pkgConfig: "unibilium", providers: [.apt(["libunibilium-dev"])]),
        .systemLibrary(name: "CText"),
        .systemLibrary(
            name: "CLibXML", pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"])]),
        // These three are opened on first use (CLazyLibraries), so they have no pkgConfig, which would link them.
        .systemLibrary(
            name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(
            name: "CArchive", providers: [.apt(["libarchive-dev"])]),
        .systemLibrary(
            name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(
            name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CPCRE2", pkgConfig: "libpcre2-8", providers: [.apt(["libpcre2-dev"])]),
        .systemLibrary(
            name: "CJPEG", pkgConfig: "libjpeg",
            providers: [.apt(["libjpeg62-turbo-dev"])]),
        .systemLibrary(
            name: "CPNG", pkgConfig: "libpng",
            providers: [.apt(["libpng-dev"])]),
        .systemLibrary(
            name: "CWebP", pkgConfig: "libwebp",
            providers: [.apt(["libwebp-dev"])]),
        .systemLibrary(
            name: "CWebPDemux", pkgConfig: "libwebpdemux",
            providers: [.apt(["libwebp-dev"])]),
        .systemLibrary(
            name: "CLCMS", pkgConfig: "lcms2",
            providers: [.apt(["liblcms2-dev"])]),
        .systemLibrary(
            name: "CGIF", providers: [.apt(["libgif-dev"])]),
        .systemLibrary(
            name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
        .target(
            name: "CSandbox", dependencies: ["CSeccomp"],
            linkerSettings: [.linkedLibrary("seccomp")]),
        // giflib has no pkg-config file, and C targets ignore the link directives of module maps.
        .target(
            name: "CImageCodecs",
            dependencies: [
                "CJPEG", "CPNG", "CWebP", "CWebPDemux", "CGIF", "CLCMS", "CLazyLibraries",
            ],
            // Decoders at -O0 would take most of the tests' time.
            cSettings: [.unsafeFlags(["-O2"], .when(configuration: .debug))],
            // Libraries for further formats are opened on demand (formats.c); before glibc 2.34, that requires libdl.
            // libheif is to find a function of libde265's here (heic.c).
            linkerSettings: [
                .linkedLibrary("gif"), .linkedLibrary("z"), .linkedLibrary("dl"),
                .unsafeFlags(["-Xlinker", "--export-dynamic-symbol=de265_start_worker_threads"]),
            ]),

        // The modules of the product, lowest layer first.
        library("Basics", ["CText"]),
        library("Trace", ["Basics"]),
        // Rounding and square roots are in libm, which nothing else here would link.
        .target(
            name: "Raster", swiftSettings: optimized,
            linkerSettings: [.linkedLibrary("m")]),
        .target(
            name: "Pipeline", dependencies: ["Basics", "CCrypto"], swiftSettings: optimized,
            linkerSettings: [.linkedLibrary("crypto")]),
        library("Markup", ["Basics", "CLibXML"]),
        library("ImageCodecs", ["Basics", "Markup", "Raster", "CImageCodecs"]),
        .target(name: "CLazyLibraries", linkerSettings: [.linkedLibrary("dl")]),
        library("Archives", ["Basics", "CArchive", "CLazyLibraries"]),
        library("State", ["Basics", "CSQLite", "CLazyLibraries"]),
        library(
            "Network", ["Archives", "Basics", "Pipeline", "Trace", "CCurl", "CLazyLibraries"]),
        library(
            "Gallery", ["Archives", "Basics", "Network", "Markup", "Pipeline", "Trace", "CPCRE2"]),
        library("Sandbox", ["Basics", "CSandbox"]),
        library(
            "Thumbnails",
            ["Basics", "Pipeline", "Network", "ImageCodecs", "Raster", "Sandbox", "Trace"]),
        library(
            "Collector",
            [
                "Archives", "Basics", "Gallery", "ImageCodecs", "Network", "Pipeline", "State",
                "Trace",
            ]),
        library(
            "Browser",
            [
                "Basics", "Collector", "Gallery", "Thumbnails", "Network", "Pipeline", "Raster",
                "State", "Trace",
            ]),
        library(
            "Terminal",
            [
                "Basics", "Browser", "Raster", "Thumbnails", "Pipeline", "Trace", "CNcurses",
                "CUnibilium",
            ]),
        library("Remote", ["Basics"]),
        library("Rendering", ["Basics", "Network", "Pipeline"]),
        program(
            "halftone",
            [
                "Basics", "Collector", "Terminal", "Browser", "Thumbnails", "Gallery", "Network",
                "ImageCodecs", "Pipeline", "Raster", "Remote", "Rendering", "Sandbox", "State",
                "Trace",
            ]),

        // The project's own tools, below Sources/Tools: the benchmarks and their dependencies.
        .target(
            name: "CImageEncoders", dependencies: ["CJPEG", "CPNG", "CWebP", "CGIF"],
            path: "Sources/Tools/CImageEncoders", linkerSettings: [.linkedLibrary("gif")]),
        .target(
            name: "ImageEncoders", dependencies: ["CImageEncoders", "Raster"],
            path: "Sources/Tools/ImageEncoders", swiftSettings: optimized),
        .target(
            name: "ArtMetrics", dependencies: ["Raster"], path: "Sources/Tools/ArtMetrics",
            swiftSettings: optimized),
        .executableTarget(
            name: "halftone-bench",
            dependencies: [
                "Basics", "CLibXML", "Collector",
                "Thumbnails", "Gallery", "Markup", "Network", "ArtMetrics", "ImageCodecs",
                "ImageEncoders", "Pipeline", "Raster", "Terminal", "Trace", "TestSupport",
            ],
            path: "Sources/Tools/halftone-bench", swiftSettings: strict),

        .target(
            name: "TestSupport",
            dependencies: [
                "Basics", "Browser", "Collector", "Thumbnails", "Gallery", "Network", "Pipeline",
                "Raster", "ImageCodecs", "ImageEncoders", "CArchive",
            ],
            path: "Tests/TestSupport", swiftSettings: optimized,
            // It also writes archives.
            linkerSettings: [.linkedLibrary("archive")]),
        .target(name: "TestTraits", path: "Tests/TestTraits", swiftSettings: strict),
        // Draws seeded screens in a terminal for tests to compare and measure.
        .executableTarget(
            name: "curses-probe",
            dependencies: [
                "Terminal", "Browser", "Gallery", "Thumbnails", "Network", "ImageCodecs",
                "Pipeline", "Raster", "Trace", "TestSupport",
            ],
            path: "Tests/Probes/curses-probe", swiftSettings: strict),
        // Works on a cache folder, so that tests can run several processes on it at once and kill them.
        .executableTarget(
            name: "cache-probe", dependencies: ["Pipeline"], path: "Tests/Probes/cache-probe",
            swiftSettings: strict),
        // Keeps state and tells what has been kept, so that tests can run several processes on it at once and kill them.
        .executableTarget(
            name: "state-probe", dependencies: ["Basics", "State"],
            path: "Tests/Probes/state-probe",
            swiftSettings: strict),
        // Attempts what a helper must not do, so that tests can verify that it is prevented.
        .executableTarget(
            name: "sandbox-probe",
            dependencies: [
                "Basics", "ImageCodecs", "Network", "Pipeline", "Raster", "Sandbox", "TestSupport",
                "Thumbnails", "Trace",
            ],
            path: "Tests/Probes/sandbox-probe", swiftSettings: strict),
        tests("BasicsTests", ["Basics"]),
        tests("TraceTests", ["Basics", "Trace"]),
        tests("RasterTests", ["Raster"]),
        tests("ArtMetricsTests", ["ArtMetrics", "Raster"]),
        tests("PipelineTests", ["Basics", "Pipeline"]),
        // Fixtures are read in place: a resource bundle would require Foundation.
        tests(
            "ImageCodecsTests",
            ["Basics", "CImageCodecs", "ImageCodecs", "ImageEncoders", "Raster"],
            excluding: ["Fixtures"]),
        tests("SandboxTests", ["CSandbox", "ImageEncoders", "Raster"]),
        tests("MarkupTests", ["Markup"]),
        tests("ArchivesTests", ["Archives", "Basics"]),
        tests("StateTests", ["Basics", "CSQLite", "State"]),
        tests("NetworkTests", ["Basics", "Network", "Pipeline"]),
        tests(
            "RenderingTests", ["Basics", "Network", "Pipeline", "Rendering"],
            excluding: ["Pages"]),
        tests(
            "GalleryTests", ["Basics", "Gallery", "Network", "Pipeline"],
            excluding: ["Corpus/Pages"]),
        tests("GalleryLoadingTests", ["Basics", "Gallery", "Network", "Pipeline", "Trace"]),
        tests(
            "ThumbnailsTests",
            [
                "Browser", "Thumbnails", "Network", "Pipeline", "Raster", "ImageCodecs",
                "ImageEncoders", "Sandbox",
            ]),
        tests(
            "BrowserTests",
            [
                "Basics", "Browser", "Collector", "Gallery", "Thumbnails", "Network", "Pipeline",
                "Raster", "State", "ImageEncoders",
            ]),
        tests(
            "TerminalTests",
            [
                "Basics", "Terminal", "Browser", "Thumbnails", "ImageCodecs", "Raster", "Pipeline",
                "CUnibilium",
            ]),
        tests(
            "CollectorTests",
            [
                "Archives", "Basics", "Collector", "Gallery", "ImageCodecs", "Network", "Pipeline",
                "State",
            ]),
        tests(
            "HalftoneTests", ["Basics", "Collector", "halftone", "Gallery", "Network", "Raster"]),
        tests(
            "EndToEndTests",
            ["Basics", "Browser", "ImageCodecs", "ImageEncoders", "Raster", "Remote", "State"]),
    ],
    swiftLanguageModes: [.v6]
)

// For `make fuzz`: libFuzzer's program links the modules, and the executable, which only itself can link, becomes one of them.
if Context.environment["HALFTONE_FUZZ"] != nil {
    let rooms = [
        "Archives", "Basics", "State", "Trace", "Raster", "Pipeline", "ImageCodecs", "Markup",
        "Network",
        "Gallery", "Collector",
        "Sandbox", "Thumbnails", "Browser", "Terminal", "Remote", "Rendering",
    ].map { Target.Dependency(stringLiteral: $0) }
    package.products = []
    package.targets.removeAll { $0.name == "halftone" || $0.type == .test }
    package.targets += [
        .target(
            name: "halftone", dependencies: rooms, exclude: ["main.swift"], swiftSettings: strict),
        .systemLibrary(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer"),
        .executableTarget(
            name: "halftone-fuzz", dependencies: rooms + ["halftone", "CFuzzer"],
            path: "Tests/Fuzz/halftone-fuzz", swiftSettings: strict),
    ]
}

// `make test FILTER=` compiles only the suites it names, and no benchmark.
if let names = Context.environment["HALFTONE_SUITES"] {
    package.targets.removeAll {
        $0.name == "halftone-bench" || $0.type == .test && !names.contains($0.name)
    }
}

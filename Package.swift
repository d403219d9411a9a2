// swift-tools-version: 6.1
import PackageDescription

/// Flags every Swift target is compiled with.
/// - ExistentialAny: https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
/// - InternalImportsByDefault: https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
///   keeps a C library's types out of every public interface.
/// - MemberImportVisibility: https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(
    _ name: String, _ dependencies: [Target.Dependency], excluding files: [String] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies + ["TestSupport"], exclude: files,
        swiftSettings: strict)
}

let package = Package(
    name: "halftone",
    products: [.executable(name: "halftone", targets: ["halftone"])],
    targets: [
        // C libraries. `ncursesw` takes no pkgConfig: SwiftPM drops its flags, and wide characters with them.
        .systemLibrary(
            name: "CNcurses", providers: [.apt(["libncurses-dev"]), .brew(["ncurses"])]),
        .systemLibrary(
            name: "CLibXML", pkgConfig: "libxml-2.0",
            providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        .systemLibrary(
            name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CJPEG", pkgConfig: "libjpeg",
            providers: [.apt(["libjpeg62-turbo-dev"]), .brew(["jpeg-turbo"])]),
        .systemLibrary(
            name: "CPNG", pkgConfig: "libpng",
            providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
        .systemLibrary(
            name: "CWebP", pkgConfig: "libwebp",
            providers: [.apt(["libwebp-dev"]), .brew(["webp"])]),
        .systemLibrary(
            name: "CWebPDemux", pkgConfig: "libwebpdemux",
            providers: [.apt(["libwebp-dev"]), .brew(["webp"])]),
        .systemLibrary(
            name: "CLCMS", pkgConfig: "lcms2",
            providers: [.apt(["liblcms2-dev"]), .brew(["little-cms2"])]),
        .systemLibrary(
            name: "CGIF", providers: [.apt(["libgif-dev"]), .brew(["giflib"])]),
        // giflib has no pkg-config file, and C does not link by a module map.
        .target(
            name: "CImageCodecs",
            dependencies: ["CJPEG", "CPNG", "CWebP", "CWebPDemux", "CGIF", "CLCMS"],
            // Libraries of further formats are opened when they are needed (library.h); before glibc 2.34 by this one.
            linkerSettings: [
                .linkedLibrary("gif"), .linkedLibrary("dl", .when(platforms: [.linux])),
            ]),

        // The rooms, innermost first.
        library("Trace"),
        // Rounding and roots are libm's, which nothing else here would link.
        .target(name: "Raster", swiftSettings: strict, linkerSettings: [.linkedLibrary("m")]),
        .target(
            name: "Pipeline", dependencies: ["Trace", "CCrypto"], swiftSettings: strict,
            linkerSettings: [.linkedLibrary("crypto", .when(platforms: [.linux]))]),
        library("ImageCodecs", ["Raster", "CImageCodecs"]),
        library("Markup", ["CLibXML"]),
        library("Network", ["Pipeline", "Trace", "CCurl"]),
        library("Gallery", ["Network", "Markup", "Pipeline", "Trace"]),
        library("Thumbnails", ["Pipeline", "Network", "ImageCodecs", "Raster", "Trace"]),
        library("Browser", ["Gallery", "Thumbnails", "Network", "Pipeline", "Raster", "Trace"]),
        library("Terminal", ["Browser", "Raster", "Thumbnails", "Pipeline", "Trace", "CNcurses"]),
        program(
            "halftone",
            [
                "Terminal", "Browser", "Thumbnails", "Gallery", "Network", "ImageCodecs",
                "Pipeline", "Raster", "Trace",
            ]),

        // Tools of the project itself: the painter of the shipped gallery, the benchmarks.
        .target(
            name: "CImageEncoders", dependencies: ["CJPEG", "CPNG", "CWebP", "CGIF"],
            linkerSettings: [.linkedLibrary("gif")]),
        library("ImageEncoders", ["CImageEncoders", "Raster"]),
        program("gallery-painter", ["ImageEncoders", "Raster"]),
        library("ArtMetrics", ["Raster"]),
        program(
            "halftone-bench",
            [
                "Thumbnails", "Gallery", "Markup", "Network", "ArtMetrics", "ImageCodecs",
                "ImageEncoders", "Pipeline", "Raster", "Trace", "TestSupport",
            ]),

        .target(
            name: "TestSupport",
            dependencies: [
                "Browser", "Thumbnails", "Gallery", "Network", "Pipeline", "Raster",
                "ImageEncoders",
            ],
            path: "Tests/TestSupport", swiftSettings: strict),
        // Draws seeded screens in a terminal, for tests to compare and measure.
        .executableTarget(
            name: "curses-probe",
            dependencies: [
                "Terminal", "Browser", "Gallery", "Thumbnails", "Network", "ImageCodecs",
                "Pipeline", "Raster", "Trace", "TestSupport",
            ],
            path: "Tests/Probes/curses-probe", swiftSettings: strict),
        // Works on a cache folder, for tests to have several processes at it at once, and to kill them.
        .executableTarget(
            name: "cache-probe", dependencies: ["Pipeline"], path: "Tests/Probes/cache-probe",
            swiftSettings: strict),
        tests("TraceTests", ["Trace"]),
        tests("RasterTests", ["Raster"]),
        tests("ArtMetricsTests", ["ArtMetrics", "Raster"]),
        tests("PipelineTests", ["Pipeline"]),
        // Fixtures are read where they lie: a bundle of resources would need Foundation.
        tests(
            "ImageCodecsTests", ["ImageCodecs", "ImageEncoders", "Raster"],
            excluding: ["Fixtures"]),
        tests("MarkupTests", ["Markup"]),
        tests("NetworkTests", ["Network", "Pipeline"]),
        tests(
            "GalleryTests", ["Gallery", "Network", "Pipeline"], excluding: ["Corpus/Pages"]),
        tests(
            "ThumbnailsTests",
            ["Thumbnails", "Network", "Pipeline", "Raster", "ImageCodecs", "ImageEncoders"]),
        tests(
            "BrowserTests",
            [
                "Browser", "Gallery", "Thumbnails", "Network", "Pipeline", "Raster",
                "ImageEncoders",
            ]),
        tests(
            "TerminalTests",
            ["Terminal", "Browser", "Thumbnails", "ImageCodecs", "Raster", "Pipeline"]),
        tests("HalftoneTests", ["halftone", "Gallery", "Network", "Raster"]),
        tests("EndToEndTests", ["ImageEncoders", "Raster"]),
    ],
    swiftLanguageModes: [.v6]
)

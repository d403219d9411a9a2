// Paints the gallery that ships with Halftone.
//
// From the root of the repository,
//
//     swift run -c release gallery-painter Resources/Gallery
//
// writes every page and every picture anew, byte for byte as they were unless the painter was changed; empty the
// folder first when a picture was renamed. Slugs after the folder (`gallery-painter /tmp/try first-light`) paint only
// those pictures, to try something out.
//
// Where to look: Site holds the catalogue, the pages' markup and the sizes; Motifs what can be painted; Scenery what
// stands around a motif; Cars the models; Solid the renderer behind them; Canvas the rasteriser under everything.

import Glibc

/// Writes a line to standard error; `stderr` itself is a mutable global, which Swift 6 refuses.
func complain(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard let target = arguments.first else {
    complain("usage: gallery-painter FOLDER [SLUG]...")
    exit(2)
}
let failures = Workshop(folder: Folder(path: target)).run(only: Set(arguments.dropFirst()))
for failure in failures { complain("gallery-painter: \(failure)") }
exit(failures.isEmpty ? 0 : 1)

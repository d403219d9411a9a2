import ArtMetrics
import Raster

/// timg, which has half and quarter blocks in 24-bit and 256 colours.
struct TimgArtist: ArtProgram {
    let name = "timg"
    /// Where output may be put.
    let folder: String

    func manners(for task: ArtTask) -> [Manner] {
        guard let arguments = arguments(for: task) else { return [] }
        return [
            .command(
                arguments, name: "", palette: .xterm, rows: task.size.rows, gap: 0, folder: folder)
        ]
    }

    /// The command without files, for one thread; nil for what it does not know.
    func arguments(for task: ArtTask) -> [String]? {
        guard task.blocks == .half || task.blocks == .quadrant,
            task.depth == .truecolor || task.depth == .palette256
        else { return nil }
        let arguments = [
            "timg", task.blocks == .half ? "-ph" : "-pq",
            "-g\(task.size.columns)x\(task.size.rows)", "--upscale", "-b#000000", "--threads=1",
            "-I",
        ]
        return arguments + (task.depth == .palette256 ? ["--color8"] : [])
    }
}

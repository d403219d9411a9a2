import ImageEncoders

/// The files of the frame around the pictures.
struct Assets {
    /// The files: name and content.
    func files() throws -> [(path: String, bytes: [UInt8])] {
        [
            ("assets/site.css", Array(SiteFrame.style.utf8)),
            ("assets/lazy.js", Array(SiteFrame.script.utf8)),
            ("assets/logo.png", try ImageEncoder.png(logo().exported(width: 180))),
            ("assets/icon-search.png", try ImageEncoder.png(search().exported(width: 24))),
            ("assets/icon-post.png", try ImageEncoder.png(post().exported(width: 24))),
            ("assets/placeholder.gif", try ImageEncoder.gif(blank(0xE6E2DA).exported(width: 3))),
            ("assets/pixel.gif", try ImageEncoder.gif(blank(0xFFFFFF).exported(width: 1))),
        ]
    }

    private func blank(_ hex: UInt32) -> Canvas {
        var canvas = Canvas(width: 3, height: 3)
        canvas.flood(.solid(Ink(hex)))
        return canvas
    }

    private func logo() -> Canvas {
        var canvas = Canvas(width: 720, height: 192)
        let apex = [
            Point(10, 90), Point(60, 10), Point(110, 90), Point(86, 90), Point(60, 48),
            Point(34, 90),
        ]
        canvas.fill(.polygon(apex), Ink(0xC8102E))
        for square in 0..<14 {
            let column = Double(square / 2)
            let isLow = square % 2 == 1
            let shift = (square / 2 % 2 == 0) == isLow ? 15.0 : 0
            canvas.fill(.rect(140 + column * 30 + shift, isLow ? 60 : 30, 15, 30), Ink(0x18181C))
        }
        return canvas
    }

    private func search() -> Canvas {
        var canvas = Canvas(width: 96, height: 96)
        canvas.stroke(.circle(Point(42, 42), 26), 10, Ink(0x303038), closed: true)
        canvas.stroke(Path(contours: [[Point(62, 62), Point(86, 86)]]), 12, Ink(0x303038))
        return canvas
    }

    private func post() -> Canvas {
        var canvas = Canvas(width: 96, height: 96)
        canvas.stroke(.rect(12, 24, 76, 52), 8, Ink(0x303038), closed: true)
        let fold = [Point(12, 26), Point(50, 56), Point(88, 26)]
        canvas.stroke(Path(contours: [fold]), 8, Ink(0x303038))
        return canvas
    }
}

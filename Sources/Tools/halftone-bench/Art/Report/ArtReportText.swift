/// The report's introduction and method.
enum ArtReportText {
    static let introduction = """
        <h1>Pictures made of characters</h1>
        <p class="lead">24 pictures, drawn by Halftone, chafa and timg in the same cells, turned back into pixels and held against the \
        picture. Written by <code>make bench-art</code>; nothing here is retouched.</p>
        <nav><a href="#figures">Figures</a><a href="#light">In light</a><a href="#classes">By class</a><a href="#cost">CPU time</a>\
        <a href="#limits">Limits</a><a href="#look">Look</a><a href="#method">Method</a></nav>
        """

    static let method = """
        <h2 id="method">Method</h2>
        <ul>
        <li><b>Pictures.</b> Eight from the shipped gallery and sixteen painted by formula, all square, as PNG, so that no JPEG decoder \
        matters. 40×20 and 100×50 cells of 1:2 are square too, so all fill the same cells (<code>--stretch</code>, \
        <code>--upscale</code>); that they do is checked. Transparent ones stand on black.</li>
        <li><b>Who draws.</b> Halftone's own stages, file to cells, in one process with the measurement, and the writer of \
        <code>--print</code>; chafa with the symbols of one family only, one thread; timg with half and quarter blocks.</li>
        <li><b>Back to pixels.</b> What is sent to the terminal is read by a terminal emulator; each cell becomes the parts its family is made \
        of: 1×2 half, 2×2 quadrant, 2×3 sextant, 2×4 octant, braille and ASCII; 4×8 quadrant and octant and 4×12 sextant where eighth blocks stand beside them. Block characters are exact. Braille dots are taken as filling \
        their parts, and as the dots of DejaVu Sans Mono; ASCII by the ink measured in DejaVu Sans Mono and Liberation Mono, as it is and \
        relative to the densest glyph. The better reading counts.</li>
        <li><b>The reference</b> is the picture shrunk to the same parts by an exact area filter written for this measurement, once averaging \
        light and once averaging sRGB codes, with transparency mixed in either before. Each program is held against all and the nearest \
        counts, which favours those that average codes.</li>
        <li><b>Options.</b> chafa draws every picture with its defaults and with the most work (<code>-w 9</code>), below truecolor without the \
        contrast that it adds (<code>-p off</code>), also in its perceptual colours and with both of its dithers; for each figure the best \
        of all counts. Halftone's \
        dithers are tried in the same way. In 16 and 8 colours every drawing is shown with xterm's palette and with chafa's own, and the better \
        one counts; Halftone draws for both, as if the terminal had told it.</li>
        <li><b>PSNR</b> over red, green and blue of sRGB, 60 dB at most. <b>Blurred</b>: both blurred by three quarters of a cell's width, as \
        seen from afar, which is what dithering is for. <b>SSIM</b> on luma (Wang 2004). <b>ΔE</b>: mean CIEDE2000. <b>Optimum</b>: of all ways to \
        split a cell's parts into two groups the best, drawn in their means; below truecolor of all pairs of the palette's colours, undithered.</li>
        <li><b>In light</b> there is one reading for all, not each one's best: <b>near</b> is PSNR against the picture shrunk as light; <b>afar</b> \
        is that of the light of both, blurred by a cell's width. <b>Contrast kept</b> is how far half blocks in truecolor differ from their \
        surroundings: in line art and text held against means of codes, which thin dark lines survive, at night against means of light, \
        which stars survive.</li>
        <li><b>ASCII.</b> Where Halftone leaves the terminal's background alone, chafa is told to do the same (<code>--fg-only</code>).</li>
        <li><b>CPU time</b>, one thread, least of three rounds: all pictures at 100×50 cells less all at 8×4, so that starting, reading and \
        decoding fall out. Peers are whole processes; Halftone's stages from the decoded picture to the bytes run in the measuring process.</li>
        </ul>
        """
}

/// The report's style: dark, one column, no scripts.
enum ArtReportStyle {
    static let css = """
        :root { color-scheme: dark; --ink: #e8e6e3; --dim: #9a9894; --line: #2b2e35; --card: #191c22; --own: #f2b45a }
        * { box-sizing: border-box }
        body { margin: 0; background: #0f1115; color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
        main { max-width: 1280px; margin: 0 auto; padding: 48px 24px 96px }
        h1 { font-size: 34px; line-height: 1.2; margin: 0 0 8px; font-weight: 650 }
        h2 { font-size: 22px; margin: 56px 0 12px; font-weight: 600 }
        p, li { max-width: 76ch; color: #cfcdc9 } .lead { font-size: 18px } b { color: var(--ink) }
        code { font: 13px ui-monospace, monospace; background: var(--card); padding: 1px 5px; border-radius: 4px }
        .scroll { overflow-x: auto }
        table { border-collapse: collapse; font-size: 13.5px; font-variant-numeric: tabular-nums; width: 100% }
        th, td { padding: 5px 8px; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap }
        th:first-child, td:first-child { text-align: left } thead th { color: var(--dim); font-weight: 500 }
        tbody tr:hover { background: var(--card) } .own { color: var(--own); font-weight: 600 } .none { color: #4d5058 }
        .sep { border-left: 1px solid var(--line) } .miss { color: #ff7a70 } .kept { color: #7fd08a }
        details { border: 1px solid var(--line); border-radius: 10px; margin: 10px 0; background: #13151a }
        summary { cursor: pointer; padding: 12px 16px; font-weight: 600; display: flex; gap: 18px; align-items: baseline }
        summary::before { content: "▸"; color: var(--dim) } details[open] > summary::before { content: "▾" }
        summary span { font-weight: 400; color: var(--dim); font-size: 13.5px } .inside { padding: 4px 16px 20px }
        .row { display: grid; grid-template-columns: repeat(4, 1fr); gap: 14px; padding: 14px 0; border-top: 1px solid var(--line) }
        figure { margin: 0; min-width: 0 } figcaption { font-size: 12px; color: var(--dim); padding-top: 6px; line-height: 1.35 }
        figcaption b { font-weight: 600 } .shot { display: block; width: 100%; aspect-ratio: 1; border-radius: 4px; image-rendering: pixelated;
          background-repeat: no-repeat; background-color: #000; background-size: calc(100% * var(--n)) calc(100% * var(--m));
          background-position: calc(100% * var(--x) / (var(--n) - 1)) calc(100% * var(--y) / (var(--m) - 1)) }
        pre { margin: 0; background: #000; color: #fff; border-radius: 4px; padding: 6px; overflow: hidden;
          font: 10.5px/1.2 "DejaVu Sans Mono", ui-monospace, monospace; letter-spacing: 0 }
        nav a { color: var(--own); text-decoration: none; margin-right: 18px } nav a:hover { text-decoration: underline }
        """
}

/// Escapes text for HTML.
func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "<": result += "&lt;"
        case "&": result += "&amp;"
        case "\"": result += "&quot;"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result
}

/// Returns an element around `content`, which must be HTML.
func element(_ name: String, class style: String? = nil, _ content: String) -> String {
    let attribute = style.map { " class=\"\($0)\"" } ?? ""
    return "<\(name)\(attribute)>\(content)</\(name)>"
}

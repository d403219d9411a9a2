/// What the report says about how it was made.
enum ArtReportText {
    static let introduction = """
        <h1>Pictures made of characters</h1>
        <p class="lead">24 pictures, drawn by Halftone, chafa and timg in the same cells, turned back into pixels and held against the \
        picture. Written by <code>make bench-art</code>; nothing here is retouched.</p>
        <nav><a href="#figures">Figures</a><a href="#classes">By class</a><a href="#cost">CPU time</a>\
        <a href="#limits">Limits</a><a href="#look">Look</a><a href="#method">Method</a></nav>
        """

    static let method = """
        <h2 id="method">Method</h2>
        <ul>
        <li><b>Pictures.</b> Eight from the shipped gallery and sixteen painted by formula, all square, as PNG, so that nobody's JPEG decoder \
        matters. 40×20 and 100×50 cells of 1:2 are square too, so everybody fills the same cells (<code>--stretch</code>, \
        <code>--upscale</code>); that they do is checked. Transparent ones stand on black.</li>
        <li><b>Who draws.</b> Halftone's own stages, file to cells, in one process with the measurement, and the writer of \
        <code>--print</code>; chafa with the symbols of one family only, one thread; timg with half and quarter blocks.</li>
        <li><b>Back to pixels.</b> What is sent to the terminal is read by a terminal emulator; each cell becomes the parts its family is made \
        of: 1×2 half, 2×2 quadrant, 2×3 sextant, 2×4 octant, braille and ASCII. Block characters are exact. Braille dots are taken as filling \
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
        <li><b>ASCII.</b> Where Halftone leaves the terminal's background alone, chafa is told to do the same (<code>--fg-only</code>).</li>
        <li><b>CPU time</b>, one thread, least of three rounds: all pictures at 100×50 cells less all at 8×4, so that starting, reading and \
        decoding fall out. Peers are whole processes; Halftone's stages from the decoded picture to the bytes run in the measuring process.</li>
        </ul>
        """
}

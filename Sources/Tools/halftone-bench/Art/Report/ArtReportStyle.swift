/// The look of the report: dark, one column, no script.
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

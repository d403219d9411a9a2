/// What stands above and below the pictures on every page.
enum SiteFrame {
    /// The name of the gallery.
    static let name = "The Apex Gallery"

    /// Logo and navigation.
    static var header: [String] {
        [
            "<header class=\"site-header\" role=\"banner\">",
            "  <a class=\"logo\" href=\"index.html\"><img src=\"assets/logo.png\" width=\"180\" "
                + "height=\"48\" alt=\"\(name)\"></a>",
            "  <nav aria-label=\"Main\">", "    <ul>",
            "      <li class=\"active\"><a href=\"index.html\">Collections</a></li>",
            "      <li><a href=\"#prints\">Prints</a></li>",
            "      <li><a href=\"#visit\">Visit</a></li>",
            "      <li><a href=\"#search\"><img src=\"assets/icon-search.png\" width=\"24\" "
                + "height=\"24\" alt=\"Search\"></a></li>",
            "    </ul>", "  </nav>", "</header>",
        ]
    }

    /// Small print.
    static var footer: [String] {
        [
            "<footer class=\"site-footer\">",
            "  <p>Every print is drawn to order, numbered and framed.</p>",
            "  <p><img src=\"assets/icon-post.png\" width=\"24\" height=\"24\" alt=\"Newsletter\"> "
                + "<a href=\"#newsletter\">Newsletter</a> <a href=\"#imprint\">Imprint</a></p>",
            "  <img src=\"assets/pixel.gif\" width=\"1\" height=\"1\" alt=\"\">", "</footer>",
            "</body>", "</html>",
        ]
    }

    /// How it looks in a browser.
    static let style = """
        body { margin: 0; font: 16px/1.5 Georgia, serif; color: #1a1a1e; background: #faf8f4; }
        .site-header, .site-footer { display: flex; gap: 2em; align-items: center; padding: 1em 4%; }
        .site-header ul { display: flex; gap: 1.5em; list-style: none; }
        main { padding: 0 4%; }
        .grid { columns: 4 16em; column-gap: 1.2em; }
        .grid-item { break-inside: avoid; margin: 0 0 1.6em; }
        .grid-item img { width: 100%; height: auto; display: block; background: #e6e2da; }
        figcaption { font-weight: bold; margin-top: .4em; }
        time { color: #77736a; font-size: .85em; }
        .pager { text-align: center; padding: 2em; }
        .pager > * { margin: 0 .4em; }

        """

    /// How its pictures come in a browser.
    static let script = """
        // Loads each picture when it comes near the window.
        const watcher = new IntersectionObserver((entries) => {
          for (const { isIntersecting, target } of entries) {
            if (!isIntersecting) continue;
            target.srcset = target.dataset.srcset;
            target.src = target.dataset.src;
            watcher.unobserve(target);
          }
        }, { rootMargin: "400px" });
        document.querySelectorAll("img.lazy").forEach((image) => watcher.observe(image));

        """
}

/// Deterministic gallery pages of any size, in the most common gallery markups.
struct GalleryMarkup {
    /// The number of items on the page.
    let items: Int

    /// The page; about 520 bytes per item.
    var page: [UInt8] {
        var text = """
            <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Harbour archive</title>
            <link rel="stylesheet" href="/assets/site.css"><script>window.dataLayer = [];</script></head>
            <body class="page gallery-page"><header class="site-header"><nav class="menu"><ul>

            """
        for word in ["Home", "Collections", "Stories", "About", "Contact"] {
            text += "<li><a href=\"/\(word.lowercased())/\">\(word)</a></li>"
        }
        text += "</ul></nav><img class=\"logo\" src=\"/assets/logo.svg\" alt=\"\"></header>\n<main>"
        text += "<h1>Harbour archive</h1>"
        // Each block has twenty items in the same markup, as on real pages.
        for start in stride(from: 0, to: items, by: 20) {
            let style = styles[start / 20 % styles.count]
            text += "<div class=\"gallery grid columns-4\" id=\"block-\(start)\">\n"
            for item in start..<min(start + 20, items) { text += style(item) + "\n" }
            text += "</div>"
        }
        text += """
            </main><nav class="pagination"><span class="current">1</span> <a href="?page=2">2</a>
            <a class="next" href="?page=2">Next</a></nav><footer class="site-footer"><p>Archive</p></footer>
            <script>window.start && start({"items": \(items)});</script></body></html>
            """
        return Array(text.utf8)
    }

    private var styles: [@Sendable (Int) -> String] {
        [Self.figure, Self.wordPress, Self.list, Self.card, Self.lightbox, Self.responsive]
    }

    @Sendable private static func figure(_ item: Int) -> String {
        """
        <figure class="photo-item" data-date="\(20_100_101 + item % 28)"><a class="photo-link" href="/photo/\(item)/">
        <img class="lazyload" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src="/media/thumbs/\(name(item))-400x267.jpg"
        width="400" height="267" alt="\(title(item)) | Harbour archive"></a>
        <figcaption><span class="caption-title">\(title(item))</span> <span class="credit">Photo: \(person(item))</span></figcaption></figure>
        """
    }

    @Sendable private static func wordPress(_ item: Int) -> String {
        let path = "https://photos.example/wp-content/uploads/2019/0\(1 + item % 9)/\(name(item))"
        return """
            <dl class="gallery-item"><dt class="gallery-icon landscape"><a href="\(path).jpg"><img width="300" height="200"
            src="\(path)-300x200.jpg" class="attachment-medium size-medium wp-image-\(item)" alt="" decoding="async" loading="lazy"
            srcset="\(path)-300x200.jpg 300w, \(path)-768x512.jpg 768w, \(path)-1024x683.jpg 1024w" sizes="(max-width: 300px) 100vw, 300px"></a></dt>
            <dd class="wp-caption-text gallery-caption" id="gallery-1-\(item)">\(title(item)) &amp; the quay</dd></dl>
            """
    }

    @Sendable private static func list(_ item: Int) -> String {
        """
        <li class="gallerybox" style="width: 155px"><div class="thumb" style="width: 150px; height: 150px;"><a href="/wiki/File:\(name(item)).jpg"
        class="mw-file-description" title="\(title(item))"><img src="//upload.photos.example/thumb/\(item % 10)/\(name(item)).jpg/120px-\(name(item)).jpg"
        width="120" height="80" srcset="//upload.photos.example/thumb/\(item % 10)/\(name(item)).jpg/240px-\(name(item)).jpg 2x" alt="\(title(item))"></a></div>
        <div class="gallerytext">\(title(item)) by <a href="/wiki/User:\(item % 90)">\(person(item))</a></div></li>
        """
    }

    @Sendable private static func card(_ item: Int) -> String {
        """
        <article class="card"><div class="card-media"><a href="/photo/\(item)-\(name(item))" class="card-link" aria-label="\(title(item))">
        <img src="/img/\(item)/w640.webp" alt="\(title(item))" loading="lazy" decoding="async" style="aspect-ratio: 3 / 2"></a></div>
        <div class="card-body"><h3 class="card-title"><a href="/photo/\(item)-\(name(item))">\(title(item))</a></h3><p class="card-meta">
        <a href="/people/\(item % 90)" rel="author">\(person(item))</a> · <time datetime="2019-0\(1 + item % 9)-17">17 May</time></p></div></article>
        """
    }

    @Sendable private static func lightbox(_ item: Int) -> String {
        """
        <div class="tile" data-id="\(item)" data-w="1600" data-h="1067"><a data-fancybox="gallery" data-caption="\(title(item))"
        href="/files/full/\(name(item)).jpg" data-width="1600" data-height="1067"><img src="/files/small/\(name(item)).jpg" width="320" height="213" alt=""></a>
        <ul class="tags"><li><a href="/tag/sea">sea</a></li><li><a href="/tag/boats">boats</a></li></ul></div>
        """
    }

    @Sendable private static func responsive(_ item: Int) -> String {
        let path = "https://cdn.photos.example/i/\(item)/\(name(item))"
        return """
            <li class="masonry-item"><a href="/photo/\(item)"><picture><source type="image/webp" srcset="\(path).webp?w=320 320w, \(path).webp?w=640 640w">
            <img src="\(path).jpg?w=320" srcset="\(path).jpg?w=320 320w, \(path).jpg?w=640 640w, \(path).jpg?w=1280 1280w" alt="\(title(item))"></picture></a>
            <div class="overlay"><span class="title">\(title(item))</span><button class="like" aria-label="Like">&hearts; \(item % 400)</button></div></li>
            """
    }

    private static func title(_ item: Int) -> String {
        let things = [
            "Fishing boat", "Lighthouse", "Old crane", "Ferry", "Market hall", "Dry dock",
        ]
        let places = ["in the morning", "at the pier", "after the storm", "from the bridge"]
        return "\(things[item % things.count]) \(places[item / 7 % places.count]), no. \(item)"
    }

    private static func name(_ item: Int) -> String { "harbour_\(1000 + item)_view" }

    private static func person(_ item: Int) -> String {
        ["Ada Lind", "Jon Berg", "Mia Holm"][item % 3]
    }
}

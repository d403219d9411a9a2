// What Halftone does inside a page that a browser has drawn: see how far it is, write it as HTML, press its "load more".
// It runs in a world of its own: the page cannot change what is called here, but its elements can be named like properties of forms
// and documents. So properties are read by the prototypes' own getters where that matters.
"use strict";
globalThis.halftone = (() => {
  const getter = (type, name) => {
    const get = Object.getOwnPropertyDescriptor(type.prototype, name).get;
    return node => get.call(node);
  };
  const nodeType = getter(Node, "nodeType"), textOf = getter(Node, "nodeValue"), baseOf = getter(Node, "baseURI");
  const firstOf = getter(Node, "firstChild"), nextOf = getter(Node, "nextSibling"), parentOf = getter(Node, "parentNode");
  const nameOf = getter(Element, "localName"), spaceOf = getter(Element, "namespaceURI"), slotOf = getter(Element, "assignedSlot");
  const attributesOf = getter(Element, "attributes"), shadowOf = getter(Element, "shadowRoot");
  const attribute = (element, name) => Element.prototype.getAttribute.call(element, name);
  // Nodes of a frame are instances of its own types, but every node takes these getters.
  const isElement = node => node && nodeType(node) == Node.ELEMENT_NODE;
  const isDocument = node => node && nodeType(node) == Node.DOCUMENT_NODE;
  const find = (root, selector) => (isDocument(root) ? Document : isElement(root) ? Element : DocumentFragment)
    .prototype.querySelectorAll.call(root, selector);
  const boxOf = element => Element.prototype.getBoundingClientRect.call(element);

  const maxNodes = 200_000, maxMilliseconds = 3_000;
  /// Deeper elements are written without their tags: parsers have limits.
  const maxDepth = 200;
  /// A longer value of an attribute is no address, and a longer `data:` address is a picture that should be counted.
  const maxValue = 8_000, maxData = 4_000;

  const quiet = (fallback, body) => (...values) => {
    try { return body(...values); } catch { return fallback; }
  };
  const absolute = (address, base) => {
    try { return new URL(address, base).href; } catch { return ""; }
  };
  /// The document of a frame of the same origin.
  const innerDocument = quiet(null, frame => /^i?frame$/.test(nameOf(frame)) ? frame.contentDocument : null);

  /// The document, open shadow roots, and the documents of frames of the same origin.
  function roots() {
    const found = [document];
    let left = maxNodes;
    for (const root of found) {
      for (const element of find(root, "*")) {
        if (--left < 0) return found;
        const inner = shadowOf(element) ?? innerDocument(element);
        if (inner) found.push(inner);
      }
    }
    return found;
  }

  // How far the page is

  /// Every address seen so far: a picture that is shown again is nothing new, as in a slide show.
  const seen = new Set();
  const addressed = "img, source, video, image, a[href], iframe, [data-src], [style*='url(']";

  function lookAround() {
    for (const root of roots()) {
      for (const element of find(root, addressed)) {
        for (const name of ["src", "srcset", "href", "poster", "data-src", "style"]) {
          const value = attribute(element, name);
          const address = name == "style" ? value?.match(/url\([^)]*/)?.[0] : value;
          if (address && !address.startsWith("data:") && seen.size < maxNodes) seen.add(address.slice(0, 2_000));
        }
      }
    }
  }

  /// The element at the middle of the window, also in shadow roots and frames, and what is around it.
  function* around() {
    let root = document, x = innerWidth / 2, y = innerHeight / 2, element = null;
    for (let depth = 0; root && depth < 50; depth++) {
      const type = isDocument(root) ? Document : ShadowRoot;
      const next = type.prototype.elementFromPoint.call(root, x, y);
      if (!next || next === element) break;
      element = next;
      const inner = innerDocument(element);
      if (inner) {
        x -= boxOf(element).left;
        y -= boxOf(element).top;
      }
      root = inner ?? shadowOf(element);
    }
    for (let depth = 0; element && depth < 10_000; depth++) {
      yield element;
      const parent = slotOf(element) ?? parentOf(element);
      element = isElement(parent) ? parent : isDocument(parent) ? parent.defaultView?.frameElement : parent?.host;
    }
  }

  /// How many pixels of an element a wheel could still bring in.
  function below(element) {
    const owner = element.ownerDocument;
    const isWindow = element === owner.scrollingElement || element === owner.documentElement;
    const overflow = getComputedStyle(element).overflowY;
    const bodyOverflow = isWindow && isElement(owner.body) ? getComputedStyle(owner.body).overflowY : "visible";
    const isHeld = overflow == "hidden" || overflow == "clip" || isWindow && overflow == "visible" && bodyOverflow == "hidden";
    if (isHeld || !isWindow && (overflow == "visible" || element === owner.body)) return 0;
    return Math.max(0, element.scrollHeight - element.clientHeight - element.scrollTop);
  }

  function state() {
    lookAround();
    let rest = 0;
    for (const element of around()) rest += below(element);
    return { changes: seen.size, ends: rest < 2 };
  }

  // The page as HTML

  const empty = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));
  const ignored = new Set("script style noscript template base canvas textarea select datalist slot".split(" "));
  const drawn = new Set("svg g a image title text foreignobject".split(" "));
  const pictures = new Set("img image video source".split(" "));

  const escaped = text => text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g, "").toWellFormed()
    .replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
  const isLeftOut = address => /^\s*blob:/i.test(address) || /^\s*data:/i.test(address) && address.length > maxData;
  const absoluteSet = (set, base) => set.replace(/([^\s,]\S*[^\s,])(\s+[^\s,][^,]*)?(,|$)/g,
    (_, address, size, end) => (isLeftOut(address) ? "" : absolute(address, base) + (size ?? "") + end));

  /// An attribute's value as it should be written, or null.
  function value(element, name, text, base) {
    if (/^(on.*|style|nonce|integrity|sizes|width|height|xmlns.*|jsaction|d)$/.test(name)) {
      return /^(width|height)$/.test(name) ? text.slice(0, 20) : null;
    }
    if (isLeftOut(text)) return null;
    if (/^(src|href|poster|data|xlink:href)$/.test(name)) {
      return text.trim().startsWith("#") ? text.slice(0, maxValue) : absolute(text, base).slice(0, maxData) || null;
    }
    if (text.length > maxValue) return null;
    if (/set$/.test(name)) return absoluteSet(text, base);
    const isAddress = /^data-/.test(name) && /^(\.{0,2}\/\S+|\S+\.(jpe?g|png|webp|gif|avif)(\?\S*)?)$/i.test(text);
    return isAddress ? absolute(text, base) : text;
  }

  function openTag(element, name, style, base, page) {
    const given = new Map();
    for (const { name, value: text } of attributesOf(element)) {
      const written = /^[a-z_][\w:.-]*$/.test(name) ? value(element, name, text, base) : null;
      if (written !== null) given.set(name, written);
    }
    const { width, height } = boxOf(element);
    const size = width >= 1 && height >= 1 ? [Math.round(width), Math.round(height)] : null;
    if (pictures.has(name) && name != "source") {
      const isBlob = /^blob:/i.test(attribute(element, "src") ?? "") || /^blob:/i.test(element.currentSrc ?? "");
      if (isBlob || isLeftOut(attribute(element, "src") ?? "")) page.leftOut++;
      const shown = element.currentSrc ?? "";
      if (/^https?:/.test(shown) && !/^https?:/.test(given.get("src") ?? "")) given.set("src", shown);
      // A placeholder that waits for its picture has not that picture's size.
      if (size && (Math.max(...size) > 16 || /^https?:/.test(shown))) {
        given.set("width", size[0]);
        given.set("height", size[1]);
      }
    }
    const background = style?.backgroundImage.match(/url\("([^"]+)"\)/)?.[1];
    if (background && isLeftOut(background)) page.leftOut++;
    if (background && size && !/^(blob|data):/i.test(background)) {
      given.set("style", `background-image:url('${background.replace(/'/g, "%27")}');width:${size[0]}px;height:${size[1]}px`);
    }
    let tag = "<" + name;
    for (const [name, text] of given) tag += ` ${name}="${escaped(String(text))}"`;
    return tag + ">";
  }

  /// Writes the element, or why not: returns its tags, and the node whose children come between.
  function written(element, page, depth) {
    const name = nameOf(element).toLowerCase(), base = baseOf(element);
    const isDrawing = spaceOf(element) == "http://www.w3.org/2000/svg";
    if (isDrawing && !drawn.has(name)) return null;
    if (name == "script") {
      const data = /^application\/(ld\+)?json$/i.test(attribute(element, "type") ?? "") ? element.textContent : "";
      if (!data || data.length > page.limit / 4) return null;
      return { tag: `<script type="${escaped(attribute(element, "type"))}">${data.replace(/</g, "\\u003c").toWellFormed()}</script>` };
    }
    if (name == "link" && !/\b(next|prev|canonical|alternate|image_src|up|author|license)\b/i.test(attribute(element, "rel") ?? "")) return null;
    if (name == "meta" && (attribute(element, "charset") !== null || attribute(element, "http-equiv") !== null)) return null;
    if (name == "title" || name == "meta" || name == "link" || name == "head") {
      return { tag: openTag(element, name, null, base, page), children: element, end: empty.has(name) ? "" : `</${name}>` };
    }
    const style = getComputedStyle(element);
    if (style.display == "none" && name != "source" && name != "area" && name != "map" && name != "track") return null;
    const isHidden = style.visibility != "visible";
    // Many lazy loaders hide a picture until it has come.
    const isLazy = name == "img" && (!element.complete || attribute(element, "data-src") || attribute(element, "data-srcset"));
    if (name == "canvas" && !isHidden && boxOf(element).height >= 64) page.leftOut++;
    if (isHidden && empty.has(name) && !isLazy) return null;
    if (name == "slot") {
      const assigned = element.assignedNodes();
      return { tag: "", nodes: assigned.length ? assigned : null, children: element, end: "", isHidden };
    }
    if (ignored.has(name) || style.contentVisibility == "hidden") return null;
    const inner = innerDocument(element);
    const tagName = inner || !/^[a-z][a-z0-9-]*$/.test(name) ? "div" : name;
    const isBare = depth > maxDepth && !empty.has(name) && name != "a" || inner && !isElement(inner.body);
    return {
      tag: isBare ? "" : inner ? "<div>" : openTag(element, tagName, style, base, page),
      children: inner ? inner.body : name == "iframe" || empty.has(name) ? null : shadowOf(element) ?? element,
      nodes: name == "details" && !element.open ? [...find(element, ":scope > summary")].slice(0, 1) : null,
      end: isBare || empty.has(name) ? "" : `</${tagName}>`, isHidden,
    };
  }

  function read(limit) {
    const page = { leftOut: 0, limit };
    const parts = ['<!DOCTYPE html><meta charset="utf-8">'];
    let length = parts[0].length, nodes = 0;
    const end = performance.now() + maxMilliseconds;
    // Where each level goes on: the next node of a chain or a list, and the tag that ends the level.
    const levels = [{ node: document.documentElement, end: "" }];
    while (levels.length) {
      const level = levels.at(-1);
      const node = level.list ? level.list[level.index++] : level.node;
      if (!node || ++nodes > maxNodes || length > limit || nodes % 64 == 0 && performance.now() > end) {
        parts.push(level.end);
        levels.pop();
        continue;
      }
      if (!level.list) level.node = nextOf(node);
      if (nodeType(node) == Node.TEXT_NODE && !level.isHidden) {
        const text = escaped(textOf(node).slice(0, limit - length).replace(/\s+/g, " "));
        parts.push(text);
        length += text.length;
      } else if (nodeType(node) == Node.ELEMENT_NODE) {
        const result = quiet(null, written)(node, page, levels.length);
        if (!result || length + result.tag.length > limit) continue;
        parts.push(result.tag);
        length += result.tag.length + (result.end?.length ?? 0);
        if (!result.children) {
          parts.push(result.end ?? "");
        } else {
          const list = result.nodes && { list: result.nodes, index: 0 };
          levels.push({ node: firstOf(result.children), ...list, end: result.end, isHidden: result.isHidden });
        }
      }
    }
    const status = performance.getEntriesByType("navigation")[0]?.responseStatus;
    return { html: parts.join(""), leftOut: page.leftOut, address: location.href, status };
  }

  // "Load more"

  const verb = "load|show|view|see|get|mehr|weitere|voir|afficher|charger|cargar|ver|mostrar|carregar|carica|mostra|vedi|meer|visa|ladda|vis|hent|last inn|"
    + "näytä|lataa|pokaż|załaduj|wczytaj|zobacz|načíst|zobrazit|učitaj|prikaži|показать|загрузить|показати|завантажити|xem|tải";
  const much = "more|mehr|weitere|plus|más|mais|altro|altri|di più|meer|fler|flera|flere|mer|lisää|więcej|další|více|još|više|több|továbbiak|ещё|еще|больше|ще|більше|thêm";
  const what = "laden|anzeigen|images|photos|pictures|items|results|posts|entries|bilder|fotos|photos|imágenes|imagens|tonen|weergeven|bekijken|betöltése|megjelenítése|zdjęć|фото";
  const moreWords = new RegExp(`^((${verb}) )?(${much})( (de|d|of|the))?( (${what}))?( (${what}))?$`
    + "|^daha fazla( göster| yükle)?$|^더 ?(보기|불러오기)$|^(もっと|さらに)(見る|みる|表示|読み込む)(する)?$|^(加载|载入|查看|显示|載入|顯示)?更多$|^(عرض |تحميل )?المزيد$");
  const moreNames = /(load|show|view)[-_]?more|infinite/i;
  const otherThings = /comment|repl(y|ies)|review|read|info|less|detail|about|komment|antwort|menu|filter|tag/i;
  const elsewhere = "nav, dialog, header, footer, [role=dialog], [role=navigation], [aria-modal=true], [id*=comment i], [class*=comment i]";

  function isControl(element) {
    if (element.disabled || attribute(element, "aria-disabled") == "true" || element.closest(elsewhere)) return false;
    if (/^(button|input)$/.test(nameOf(element)) && element.form && element.type != "button") return false;
    const href = attribute(element, "href");
    if (nameOf(element) == "a" && href && !/^\s*(#|javascript:)/i.test(href)) return false;
    const { width, height } = boxOf(element);
    if (width < 8 || height < 8 || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
    const label = element.innerText || attribute(element, "value") || attribute(element, "aria-label") || "";
    const words = label.slice(0, 200).toLowerCase().replace(/[^\p{L}\p{M}]+/gu, " ").trim();
    const names = `${attribute(element, "class") ?? ""} ${attribute(element, "id") ?? ""}`;
    return !otherThings.test(words) && (moreWords.test(words) || moreNames.test(names) && words.length < 40);
  }

  function more() {
    // Equal controls belong each to one part of the page.
    const groups = new Map();
    for (const root of roots()) {
      for (const element of find(root, "button, a, [role=button], input[type=button]")) {
        if (!quiet(false, isControl)(element)) continue;
        const key = [nameOf(element), attribute(element, "class"), element.innerText].join();
        groups.set(key, groups.has(key) ? null : { element, root });
      }
    }
    const found = [...groups.values()].filter(group => group).map(({ element, root }) => {
      const top = boxOf(element).top;
      const shown = [...find(root, "img, a[style], div[style*='url(']")].map(boxOf).filter(box => box.height >= 48);
      return { element, before: shown.filter(box => box.top < top).length, count: shown.length };
    }).sort((one, other) => other.before - one.before);
    const [best, second] = found;
    if (!best || second?.before === best.before || best.count && !best.before) return false;
    HTMLElement.prototype.click.call(best.element);
    return true;
  }

  return { state: quiet({}, state), read: quiet({}, read), more: quiet(false, more) };
})();

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

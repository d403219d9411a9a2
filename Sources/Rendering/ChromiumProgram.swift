import Basics
import Glibc

/// The names that a Chromium may have in `PATH`, the first of which counts.
package let chromiumNames = [
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "brave-browser",
    "microsoft-edge-stable",
]

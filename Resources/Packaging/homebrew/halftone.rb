class Halftone < Formula
  desc "Browse the pictures of web galleries and folders in the terminal"
  homepage "https://github.com/halftone/halftone"
  url "https://github.com/halftone/halftone/archive/refs/tags/v0.1.0.tar.gz"
  # No release exists yet: `brew fetch` prints the sum that belongs here.
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"
  head "https://github.com/halftone/halftone.git", branch: "main"

  depends_on "pkgconf" => :build
  depends_on "swift" => :build
  depends_on "curl"
  depends_on "ffmpeg"
  depends_on "giflib"
  depends_on "jpeg-turbo"
  depends_on "jpeg-xl"
  depends_on "libarchive"
  depends_on "libavif"
  depends_on "libheif"
  depends_on "libpng"
  depends_on "librsvg"
  depends_on "libseccomp"
  depends_on "libtiff"
  depends_on "libxml2"
  depends_on :linux
  depends_on "little-cms2"
  depends_on "ncurses"
  depends_on "openssl@3"
  depends_on "pcre2"
  depends_on "poppler"
  depends_on "sqlite"
  depends_on "unibilium"
  depends_on "webp"

  def install
    # Several of these have no pkg-config file in Package.swift, and most are opened by name when first needed.
    libraries = "#{HOMEBREW_PREFIX}/lib"
    system "swift", "build", "-c", "release", "--static-swift-stdlib", "--disable-sandbox", "--product", "halftone",
           "-Xcc", "-I#{HOMEBREW_PREFIX}/include", "-Xlinker", "-L#{libraries}", "-Xlinker", "-rpath=#{libraries}"
    system "make", "install", "BINARY=.build/release/halftone", "PREFIX=#{prefix}"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/halftone --version")
    assert_match "file://", shell_output("#{bin}/halftone --urls #{pkgshare}/Gallery/index.html")
  end
end

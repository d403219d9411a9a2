# As in nixpkgs: pkgs.callPackage ./package.nix { }
{ lib, swiftPackages, swift, swiftpm, fetchFromGitHub, patchelf, pkg-config
, curl, ffmpeg, giflib, lcms2, libarchive, libavif, libheif, libjpeg, libjxl, libpng, librsvg, libseccomp
, libtiff, libwebp, libxml2, ncurses, openssl, pcre2, poppler, sqlite, unibilium, zlib
}:

let
  # Opened by name when first needed, with the headers that Halftone is compiled for.
  opened = [ curl ffmpeg libarchive libavif libheif libjxl librsvg libtiff poppler sqlite ];
  # Package.swift names no pkg-config files of these.
  unlisted = [ ncurses giflib zlib ] ++ opened;
in
swiftPackages.stdenv.mkDerivation (finalAttrs: {
  pname = "halftone";
  version = "0.1.0";

  src = fetchFromGitHub {
    owner = "halftone";
    repo = "halftone";
    tag = "v${finalAttrs.version}";
    hash = lib.fakeHash; # No release exists yet.
  };

  nativeBuildInputs = [ swift swiftpm patchelf pkg-config ];
  buildInputs = [ lcms2 libjpeg libpng libseccomp libwebp libxml2 openssl pcre2 unibilium ] ++ unlisted;

  # The hook of swiftpm builds with these, and would install nothing but the program.
  swiftpmFlags = [ "--product" "halftone" ] ++ lib.concatMap (library: [
    "-Xcc" "-I${lib.getDev library}/include"
    "-Xlinker" "-L${lib.getLib library}/lib"
  ]) unlisted;
  dontUseSwiftpmInstall = true;

  installPhase = ''
    runHook preInstall
    make SHELL=bash install BINARY="$(swiftpmBinPath)/halftone" PREFIX="$out"
    runHook postInstall
  '';

  # After stripping and shrinking of paths, which would drop these.
  postFixup = ''
    patchelf --add-rpath ${lib.makeLibraryPath opened} "$out/bin/halftone"
  '';

  meta = {
    description = "Browse the pictures of web galleries and folders in the terminal";
    homepage = "https://github.com/halftone/halftone";
    license = lib.licenses.mit;
    mainProgram = "halftone";
    platforms = lib.platforms.linux;
  };
})

# nix run 'github:halftone/halftone?dir=Resources/Packaging/nix'
{
  description = "Browse the pictures of web galleries and folders in the terminal";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }: {
    packages = nixpkgs.lib.genAttrs [ "x86_64-linux" "aarch64-linux" ] (system: {
      # The commit that this file is in, rather than a release.
      default = (nixpkgs.legacyPackages.${system}.callPackage ./package.nix { }).overrideAttrs (_: {
        src = self.sourceInfo.outPath;
      });
    });
  };
}

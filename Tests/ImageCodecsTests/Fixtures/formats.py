#!/usr/bin/env python3
"""Encodes the drawing in formats whose libraries not everybody has, and keeps what other decoders read from it.

Needs Pillow (with LittleCMS and AVIF), numpy, tifffile, CairoSVG, exiftool, ImageMagick 6, and the tools of libtiff, libavif and
libjxl. See README.md.
"""
import io
import subprocess
import tempfile

import cairosvg
import numpy as np
import tifffile
from PIL import Image

from make import HEIGHT, WIDTH, alphas, drawing, expect, inks, keep, opaque, pillow, through
from profiles import DISPLAY_P3, inks_profile, rgb_profile


def tiff():
    rgb = drawing()
    picture = Image.fromarray(rgb)
    cut_out = Image.fromarray(np.dstack([rgb, alphas()]))
    files = {
        "lzw": (picture, {"compression": "tiff_lzw"}),
        "deflate": (picture, {"compression": "tiff_adobe_deflate"}),
        "gray": (picture.convert("L"), {"compression": "packbits"}),
        "palette": (picture.quantize(64), {"compression": "tiff_lzw"}),
        "bits": (picture.convert("1"), {"compression": "group4"}),
        "alpha": (cut_out, {"compression": "tiff_lzw"}),
        "turned": (picture, {"tiffinfo": {274: 6}}),
    }
    for name, (image, options) in files.items():
        image.save(f"tiff-{name}.tiff", **options)
        if name != "turned":
            expect(f"tiff-{name}.tiff", pillow(f"tiff-{name}.tiff"))
    picture.save("tiff-wide.tiff", icc_profile=rgb_profile(DISPLAY_P3, "srgb"), compression="tiff_lzw")
    expect("tiff-wide.tiff", through(rgb_profile(DISPLAY_P3, "srgb"), picture, "RGB"))
    profile, cmyk = inks_profile(), Image.fromarray(inks(rgb), "CMYK")
    cmyk.save("tiff-inks.tiff", icc_profile=profile, compression="tiff_lzw")
    expect("tiff-inks.tiff", through(profile, cmyk, "CMYK"))
    # Strips of 5 rows; tiles that reach over the edges; big-endian; 16 bits; planes apart.
    subprocess.run(["tiffcp", "-r", "5", "-c", "zip:2", "tiff-lzw.tiff", "tiff-strips.tiff"], check=True)
    subprocess.run(
        ["tiffcp", "-t", "-w", "16", "-l", "16", "-c", "lzw", "-B", "tiff-lzw.tiff", "tiff-tiles.tiff"],
        check=True)
    tifffile.imwrite(
        "tiff-planes.tiff", (rgb.astype(np.uint16) * 257).transpose(2, 0, 1), byteorder=">",
        photometric="rgb", planarconfig="separate", metadata=None, software=None)
    for name in ["strips", "tiles", "planes"]:
        expect(f"tiff-{name}.tiff", opaque(rgb))


def bmp():
    rgb = drawing()
    picture = Image.fromarray(rgb)
    picture.save("bmp-plain.bmp")
    picture.quantize(64).save("bmp-palette.bmp")
    picture.convert("1").save("bmp-bits.bmp")
    for name in ["plain", "palette", "bits"]:
        expect(f"bmp-{name}.bmp", pillow(f"bmp-{name}.bmp"))
    # With alpha and masks (version 4), and 5 : 6 : 5 bits, by ImageMagick, as Pillow writes neither.
    buffer = io.BytesIO()
    Image.fromarray(np.dstack([rgb, alphas()])).save(buffer, "PNG")
    subprocess.run(["convert", "png:-", "bmp:bmp-alpha.bmp"], input=buffer.getvalue(), check=True)
    expect("bmp-alpha.bmp", pillow("bmp-alpha.bmp"))
    subprocess.run(
        ["convert", "bmp-plain.bmp", "-define", "bmp:subtype=RGB565", "-type", "truecolor",
         "bmp:bmp-small.bmp"], check=True)
    expect("bmp-small.bmp", pillow("bmp-small.bmp"))
    # The first row first.
    data = bytearray(open("bmp-plain.bmp", "rb").read())
    data[22:26] = (-HEIGHT).to_bytes(4, "little", signed=True)
    rows = [data[54 + y * WIDTH * 3:54 + (y + 1) * WIDTH * 3] for y in range(HEIGHT)]
    keep("bmp-falling.bmp", bytes(data[:54]) + b"".join(reversed(rows)))
    expect("bmp-falling.bmp", opaque(rgb))


def as_png(name, pixels, **options):
    Image.fromarray(pixels).save(name, **options)
    return name


def avif():
    """By libavif's own encoder; read by Pillow, which brings another version of it."""
    rgb = drawing()
    with tempfile.TemporaryDirectory() as folder:
        plain = as_png(f"{folder}/plain.png", rgb)
        clear = as_png(f"{folder}/clear.png", np.dstack([rgb, alphas()]))
        other = as_png(f"{folder}/other.png", 255 - rgb)
        commands = {
            "lossless": ["--lossless", plain],
            "lossy": ["--min", "5", "--max", "10", "-y", "420", plain],
            "alpha": ["--lossless", clear],
            "premultiplied": ["--lossless", "--premultiply", clear],
            "deep": ["-d", "10", "--min", "0", "--max", "0", "-y", "444", plain],
            "gray": ["-y", "400", "--min", "0", "--max", "0", plain],
            "p3": ["--lossless", "--cicp", "12/13/0", plain],
            "moving": ["--lossless", "--fps", "5", plain, other, plain],
        }
        for turns in range(4):
            for axis in [None, 0, 1]:
                mirror = [] if axis is None else ["--imir", str(axis)]
                commands[f"turned{turns}{'' if axis is None else axis}"] = [
                    "--lossless", "--irot", str(turns), *mirror, plain]
        for name, options in commands.items():
            subprocess.run(
                ["avifenc", "-s", "6", "-j", "1", *options, f"avif-{name}.avif"], check=True,
                capture_output=True)
        # Greys and a colour in PQ: codes of 203 and of 1000 cd/m2, and half of them.
        codes = [0.5807, 0.7518, 0.5 * 0.5807, 0]
        deep = np.zeros((16, 64, 3), np.uint16)
        for index, code in enumerate(codes):
            deep[:, index * 16:index * 16 + 16] = round(code * 65535)
        for name, codes in {"pq": "9/16/0", "hlg": "9/18/0"}.items():
            png = f"{folder}/deep.png"
            subprocess.run(
                ["convert", "-size", "64x16", "-depth", "16", "-endian", "LSB", "rgb:-", png],
                input=deep.tobytes(), check=True)
            subprocess.run(
                ["avifenc", "-s", "6", "-d", "12", "--min", "0", "--max", "0", "-y", "444",
                 "--cicp", codes, png, f"avif-{name}.avif"], check=True, capture_output=True)
    # Half black, half white, and wider than libavif takes unless it is told to.
    wide = Image.new("RGB", (40000, 4))
    wide.paste((255, 255, 255), (20000, 0, 40000, 4))
    wide.save("avif-wide.avif", quality=90, speed=6)
    for name in ["lossless", "lossy", "alpha", "premultiplied", "deep", "gray", "moving"]:
        expect(f"avif-{name}.avif", pillow(f"avif-{name}.avif"))
    expect(
        "avif-p3.avif", through(rgb_profile(DISPLAY_P3, "srgb"), Image.fromarray(rgb), "RGB"))


def jxl():
    """By libjxl's own encoder; what is stored without loss has its drawing for reference."""
    rgb = drawing()
    profile = rgb_profile(DISPLAY_P3, "srgb")
    with tempfile.TemporaryDirectory() as folder:
        plain = as_png(f"{folder}/plain.png", rgb)
        clear = as_png(f"{folder}/clear.png", np.dstack([rgb, alphas()]))
        wide = as_png(f"{folder}/wide.png", rgb, icc_profile=profile)
        gray = as_png(f"{folder}/gray.png", rgb[:, :, 1])
        turned = as_png(f"{folder}/turned.jpg", rgb, quality=100, subsampling=0)
        subprocess.run(["exiftool", "-q", "-overwrite_original", "-n", "-Orientation=6", turned],
                       check=True)
        large = as_png(
            f"{folder}/large.png", np.kron(rgb, np.ones((40, 40, 1), np.uint8)))
        moving = f"{folder}/moving.gif"
        Image.fromarray(rgb).save(
            moving, save_all=True, duration=100,
            append_images=[Image.fromarray(255 - rgb), Image.fromarray(rgb // 2)])
        commands = {
            "lossless": ["-d", "0", plain], "container": ["-d", "0", "--container=1", plain],
            "lossy": ["-d", "0.05", plain], "alpha": ["-d", "0", clear], "p3": ["-d", "0", wide],
            "gray": ["-d", "0", gray], "moving": ["-d", "0", moving],
            "turned": ["-j", "1", turned], "large": ["-d", "3", large],
        }
        for name, options in commands.items():
            subprocess.run(
                ["cjxl", *options, f"jxl-{name}.jxl"], check=True, capture_output=True)
        expect("jxl-turned.jxl", np.rot90(np.array(Image.open(turned).convert("RGBA")), -1))
    for name in ["lossless", "container", "lossy"]:
        expect(f"jxl-{name}.jxl", opaque(rgb))
    expect("jxl-alpha.jxl", np.dstack([rgb, alphas()]))
    expect("jxl-gray.jxl", opaque(np.repeat(rgb[:, :, 1:2], 3, axis=2)))
    expect("jxl-p3.jxl", through(profile, Image.fromarray(rgb), "RGB"))


def svg():
    """`shapes.svg` was written by hand; CairoSVG draws it anew."""
    png = cairosvg.svg2png(url="shapes.svg", output_width=128, output_height=96, unsafe=True)
    image = Image.open(io.BytesIO(png)).convert("RGBA")
    keep("shapes.rgba", image.tobytes())


if __name__ == "__main__":
    for make in [tiff, bmp, avif, jxl, svg]:
        make()

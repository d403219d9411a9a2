#!/usr/bin/env python3
"""Encodes the drawing in formats whose libraries not everybody has, and keeps what other decoders read from it.

Needs Pillow (with LittleCMS and AVIF), numpy, tifffile, CairoSVG, exiftool, ImageMagick 6, and the tools of libtiff, libavif,
libjxl and libheif (1.15). See README.md.
"""
import io
import struct
import subprocess
import tempfile

import cairosvg
import numpy as np
import tifffile
from PIL import Image

from make import HEIGHT, WIDTH, alphas, deep_png, drawing, expect, inks, keep, opaque, pillow, through
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


def heic():
    """By libheif's own encoder; what is stored without loss has its drawing for reference."""
    rgb = drawing()
    exact = ["-L", "-p", "chroma=444", "--matrix_coefficients=0"]
    profile = rgb_profile(DISPLAY_P3, "srgb")
    with tempfile.TemporaryDirectory() as folder:
        def encode(name, options, *sources):
            subprocess.run(
                ["heif-enc", "-p", "x265:pools=none", *options, *sources, "-o", name], check=True,
                capture_output=True)

        def deep(codes):
            keep(f"{folder}/deep.png", deep_png(codes))
            return f"{folder}/deep.png"

        def tiles(options, *sources):
            encode(f"{folder}/tiles.heic", options, *sources)
            return open(f"{folder}/tiles.heic", "rb").read()

        plain = as_png(f"{folder}/plain.png", rgb)
        encode("heic-lossless.heic", exact, plain)
        encode("heic-lossy.heic", ["-q", "90", "-p", "chroma=444"], plain)
        encode("heic-alpha.heic", exact, as_png(f"{folder}/clear.png", np.dstack([rgb, alphas()])))
        encode("heic-p3.heic", exact, as_png(f"{folder}/wide.png", rgb, icc_profile=profile))
        encode("heic-deep.heic", ["-q", "95", "-b", "10", "-p", "chroma=444"], deep(rgb * np.uint16(257)))
        encode("heic-odd.heic", exact, as_png(f"{folder}/odd.png", rgb[:23, :31]))
        # With a thumbnail, and metadata that mention an orientation.
        exif = Image.Exif()
        exif[0x010F], exif[0x0110], exif[0x0132] = "Halftone", "Tester", "2024:06:01 10:11:12"
        large = as_png(
            f"{folder}/large.jpg", np.kron(rgb, np.ones((8, 8, 1), np.uint8)), quality=95, exif=exif)
        encode("heic-large.heic", ["-q", "60", "-t", "64"], large)
        # Greys in PQ: codes of 203 and of 1000 cd/m2, half the code of white, and black.
        grays = np.zeros((64, 64, 3), np.uint16)
        for index, code in enumerate([0.5807, 0.7518, 0.5 * 0.5807, 0]):
            grays[:, index * 16:index * 16 + 16] = round(code * 65535)
        for name, curve in {"pq": 16, "hlg": 18}.items():
            file = tiles(
                ["-q", "95", "-b", "10", "-p", "chroma=444", "--colour_primaries=9",
                 f"--transfer_characteristic={curve}", "--matrix_coefficients=9"], deep(grays))
            keep(f"heic-{name}.heic", grid(
                file, 1, (64, 64), box("colr", b"nclx", struct.pack(">HHHB", 9, curve, 9, 0x80))))
        colors = [(220, 30, 30), (30, 200, 30), (30, 30, 220), (255, 255, 255)]
        file = tiles(exact, *(
            as_png(f"{folder}/{index}.png", np.full((64, 64, 3), color, np.uint8))
            for index, color in enumerate(colors)))
        for turns in range(4):
            for axis in [None, 0, 1]:
                mirror = [] if axis is None else [box("imir", bytes([axis]))]
                keep(f"heic-turned{turns}{'' if axis is None else axis}.heic",
                     grid(file, 2, (100, 90), box("irot", bytes([turns])), *mirror))
    for name in ["lossless", "lossy", "deep"]:
        expect(f"heic-{name}.heic", opaque(rgb))
    expect("heic-alpha.heic", np.dstack([rgb, alphas()]))
    expect("heic-odd.heic", opaque(rgb[:23, :31]))
    expect("heic-p3.heic", through(profile, Image.fromarray(rgb), "RGB"))


def box(kind, *parts):
    payload = b"".join(parts)
    return struct.pack(">I", len(payload) + 8) + kind.encode() + payload


def grid(tiles, side, size, *further):
    """Makes a grid (ISO/IEC 23008-12, 6.6.2.3) of side x side tiles of 64 x 64, the pictures in a file of heif-enc."""
    def find(kind):
        at = tiles.index(kind) - 4
        return tiles[at:at + int.from_bytes(tiles[at:at + 4], "big")]

    codes = []
    for at in range(16, len(find(b"iloc")), 18):
        _, _, base, count, start, length = struct.unpack(">HHIHII", find(b"iloc")[at:at + 18])
        codes.append(tiles[base + start:base + start + length])
        assert count == 1
    number = side * side
    assert len(codes) == number
    codes.append(struct.pack(">BBBBHH", 0, 0, side - 1, side - 1, *size))
    full = bytes(4)
    infos = b"".join(
        box("infe", bytes([2, 0, 0, index < number]), struct.pack(">HH", index + 1, 0),
            b"hvc1" if index < number else b"grid", b"\0") for index in range(number + 1))
    properties = [find(b"hvcC"), box("ispe", full, struct.pack(">II", 64, 64)),
                  box("ispe", full, struct.pack(">II", *size)), *further]
    own = bytes(range(3, len(properties) + 1))
    uses = struct.pack(">I", number + 1) + b"".join(
        struct.pack(">HBBB", index + 1, 2, 0x81, 2) for index in range(number))
    uses += struct.pack(">HB", number + 1, len(own)) + own

    def meta(start):
        places = b""
        for index, code in enumerate(codes):
            places += struct.pack(">HHHII", index + 1, 0, 1, start, len(code))
            start += len(code)
        return box(
            "meta", full, box("hdlr", full, full, b"pict", bytes(13)),
            box("pitm", full, struct.pack(">H", number + 1)),
            box("iloc", full, struct.pack(">HH", 0x4400, number + 1), places),
            box("iinf", full, struct.pack(">H", number + 1), infos),
            box("iref", full, box("dimg", struct.pack(
                f">HH{number}H", number + 1, number, *range(1, number + 1)))),
            box("iprp", box("ipco", *properties), box("ipma", full, uses)))

    start = box("ftyp", b"heic\0\0\0\0mif1heic")
    return start + meta(len(start) + len(meta(0)) + 8) + box("mdat", *codes)


def svg():
    """`shapes.svg` was written by hand; CairoSVG draws it anew."""
    png = cairosvg.svg2png(url="shapes.svg", output_width=128, output_height=96, unsafe=True)
    image = Image.open(io.BytesIO(png)).convert("RGBA")
    keep("shapes.rgba", image.tobytes())


if __name__ == "__main__":
    for make in [tiff, bmp, avif, jxl, heic, svg]:
        make()

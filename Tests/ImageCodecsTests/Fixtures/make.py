#!/usr/bin/env python3
"""Draws the fixtures, encodes them with independent programs, and writes the pixels that other decoders read.

Needs Pillow (with LittleCMS and WebP), numpy and ImageMagick 6. See README.md.
"""
import io
import struct
import subprocess
import zlib

import numpy as np
from PIL import Image, ImageCms

from profiles import (ADOBE_RGB, DISPLAY_P3, SRGB, gray_profile, inks_profile, rgb_profile,
                      srgb_decoded, srgb_encoded)

WIDTH, HEIGHT = 32, 24


def drawing():
    """Gradients above, eight patches of 8 × 8 below: greys, and colours near and in the corners of the cube."""
    pixels = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    for y in range(16):
        for x in range(WIDTH):
            pixels[y, x] = (30 + x * 6, 30 + y * 12, 220 - x * 3 - y * 4)
    patches = [(255, 255, 255), (128, 128, 128), (255, 0, 0), (0, 200, 40)]
    for index, color in enumerate(patches):
        pixels[16:, index * 8:index * 8 + 8] = color
    return pixels


def alphas():
    """From clear at the left to opaque."""
    return np.tile((np.arange(WIDTH) * 255 // (WIDTH - 1)).astype(np.uint8), (HEIGHT, 1))


def keep(name, data):
    with open(name, "wb") as file:
        file.write(data)


def expect(name, pixels):
    """Writes rows of red, green, blue, alpha."""
    keep(name.rsplit(".", 1)[0] + ".rgba", np.ascontiguousarray(pixels, np.uint8).tobytes())


def opaque(rgb):
    return np.dstack([rgb, np.full(rgb.shape[:2], 255, np.uint8)])


def pillow(name):
    return np.array(Image.open(name).convert("RGBA"))


def magick(name):
    """ImageMagick's 16 bits of each channel, rounded to 8."""
    image = Image.open(name)
    raw = subprocess.run(
        ["convert", name, "-depth", "16", "-endian", "MSB", "rgba:-"], check=True,
        capture_output=True).stdout
    deep = np.frombuffer(raw, ">u2").reshape(image.height, image.width, 4)
    return np.rint(deep / 257)


def convert(arguments, rgb, name):
    """Encodes a drawing with ImageMagick."""
    source = io.BytesIO()
    Image.fromarray(rgb).save(source, "PNG")
    subprocess.run(["convert", "png:-", *arguments, name], check=True, input=source.getvalue())


def chunk(name, payload):
    return struct.pack(">I", len(payload)) + name + payload + struct.pack(
        ">I", zlib.crc32(name + payload))


def with_chunks(png, *chunks):
    """A PNG with chunks behind its header."""
    return png[:33] + b"".join(chunk(name, payload) for name, payload in chunks) + png[33:]


def deep_png(codes):
    """A PNG of 16 bits a channel, which Pillow cannot write."""
    height, width = codes.shape[:2]
    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in codes)
    header = struct.pack(">IIBBBBB", width, height, 16, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows))
            + chunk(b"IEND", b""))


def encoded(image, form, **options):
    buffer = io.BytesIO()
    image.save(buffer, form, **options)
    return buffer.getvalue()


def small_sizes():
    color = np.array([[[200, 100, 50]]], np.uint8)
    one = Image.fromarray(color)
    for extension, options in [("png", {}), ("jpg", {"quality": 95}), ("webp", {"lossless": True}),
                               ("gif", {})]:
        name = f"one-{extension}.{extension}"
        one.save(name, **options)
        expect(name, pillow(name))
    rows = np.arange(20000)
    strip = np.stack([rows // 100, 200 - rows // 100, (rows // 2000) * 25], axis=1).astype(np.uint8)
    tall = Image.fromarray(strip[:, None, :])
    tall.save("strip-tall.png", optimize=True)
    Image.fromarray(strip[None]).save("strip-wide.png", optimize=True)
    tall.save("strip-tall.jpg", quality=90)
    tall.save("strip-tall.gif")
    Image.fromarray(strip[:16383, None, :]).save("strip-tall.webp", lossless=True)


def clear():
    hidden = np.dstack([drawing(), np.zeros((HEIGHT, WIDTH), np.uint8)])
    image = Image.fromarray(hidden)
    image.save("clear.png")
    keep("clear-lossless.webp", encoded(image, "WEBP", lossless=True, exact=True))
    keep("clear-lossy.webp", encoded(image, "WEBP", quality=80))
    palette = Image.new("P", (WIDTH, HEIGHT), 7)
    palette.save("clear.gif", transparency=7)


def depths():
    rgb = drawing()
    half = np.dstack([rgb, alphas()])
    noise = ["-evaluate", "add", "0.2%"]  # so that the low bytes are not those of 8 bits
    convert([*noise, "-depth", "16", "-define", "png:color-type=2"], rgb, "PNG48:deep-rgb.png")
    convert([*noise, "-depth", "16"], half, "PNG64:deep-rgba.png")
    convert([*noise, "-colorspace", "Gray", "-depth", "16", "-define", "png:bit-depth=16",
             "-define", "png:color-type=0"], rgb, "deep-gray.png")
    convert(["-colorspace", "Gray", "-depth", "16", "-define", "png:bit-depth=16",
             "-define", "png:color-type=4"], half, "deep-gray-alpha.png")
    for name in ["deep-rgb.png", "deep-rgba.png", "deep-gray.png", "deep-gray-alpha.png"]:
        strip_colors(name)
        expect(name, magick(name))


def strip_colors(name):
    """Drops the colour chunks that ImageMagick writes: these fixtures are about depth."""
    data = open(name, "rb").read()
    out, offset = data[:8], 8
    while offset < len(data):
        length = struct.unpack(">I", data[offset:offset + 4])[0]
        whole = data[offset:offset + 12 + length]
        if whole[4:8] in (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"):
            out += whole
        offset += 12 + length
    keep(name, out)


def alpha_kinds():
    rgb = drawing()
    gray = Image.fromarray(rgb).convert("L")
    la = Image.merge("LA", (gray, Image.fromarray(alphas())))
    la.save("gray-alpha.png")
    expect("gray-alpha.png", pillow("gray-alpha.png"))
    colors = Image.fromarray(rgb).quantize(16)
    steps = bytes(255 - index * 17 for index in range(16))
    colors.save("palette-trns.png", transparency=steps, bits=4)
    expect("palette-trns.png", pillow("palette-trns.png"))
    gray.save("gray-trns.png", transparency=128)
    expect("gray-trns.png", pillow("gray-trns.png"))
    Image.fromarray(rgb).save("rgb-trns.png", transparency=(255, 0, 0))
    expect("rgb-trns.png", pillow("rgb-trns.png"))


def interlaced():
    rgb = drawing()
    convert(["-interlace", "PNG"], rgb, "PNG24:interlaced.png")
    convert(["-interlace", "PNG", "-colors", "12"], rgb, "PNG8:interlaced-palette.png")
    for name in ["interlaced.png", "interlaced-palette.png"]:
        strip_colors(name)
        expect(name, magick(name))
    convert(["-interlace", "GIF"], rgb, "interlaced-gif.gif")
    convert(["-interlace", "JPEG", "-quality", "92", "-strip"], rgb, "progressive.jpg")
    expect("interlaced-gif.gif", pillow("interlaced-gif.gif"))
    expect("progressive.jpg", pillow("progressive.jpg"))


def inks(rgb):
    """Cyan, magenta, yellow and black with half of the grey in the black; 255 is full."""
    cmy = 255 - rgb.astype(int)
    black = cmy.min(axis=2) // 2
    rest = 255 - black
    colored = np.clip((cmy - black[..., None]) * 255 // rest[..., None], 0, 255)
    return np.dstack([colored, black]).astype(np.uint8)


def segments(jpeg):
    """The segments of a JPEG up to its first scan, and the rest."""
    found, offset = [], 2
    while jpeg[offset + 1] != 0xDA:
        length = struct.unpack(">H", jpeg[offset + 2:offset + 4])[0]
        found.append(jpeg[offset:offset + 2 + length])
        offset += 2 + length
    return found, jpeg[offset:]


def without_adobe(jpeg):
    found, rest = segments(jpeg)
    return jpeg[:2] + b"".join(s for s in found if s[1] != 0xEE) + rest


def as_ycck(jpeg):
    """Says that the first three components are luminance and chroma."""
    found, rest = segments(jpeg)
    return jpeg[:2] + b"".join(s[:-1] + b"\2" if s[1] == 0xEE else s for s in found) + rest


def ink_files():
    options = {"quality": 95, "subsampling": 0}
    cmyk = inks(drawing())
    image = Image.fromarray(cmyk, "CMYK")
    keep("cmyk-adobe.jpg", encoded(image, "JPEG", **options))
    expect("cmyk-adobe.jpg", pillow("cmyk-adobe.jpg"))
    # Pillow writes inks inverted, as Adobe does, and reads every file so: inverted before, the file's are not.
    keep("cmyk-plain.jpg",
         without_adobe(encoded(Image.fromarray(255 - cmyk, "CMYK"), "JPEG", **options)))
    plain = 255 - np.array(Image.open("cmyk-plain.jpg"))
    expect("cmyk-plain.jpg", np.array(Image.fromarray(plain, "CMYK").convert("RGBA")))
    # The library turns Y, Cb, Cr into what is left of white, that is inverted inks.
    ycc = np.array(Image.fromarray(255 - cmyk[..., :3]).convert("YCbCr"))
    ycc[...] = np.array(Image.fromarray(cmyk[..., :3]).convert("YCbCr"))
    stored = np.dstack([ycc, 255 - cmyk[..., 3]])
    keep("ycck.jpg", as_ycck(encoded(Image.fromarray(255 - stored, "CMYK"), "JPEG", **options)))
    expect("ycck.jpg", pillow("ycck.jpg"))
    profile = inks_profile()
    keep("cmyk-icc.jpg", encoded(image, "JPEG", icc_profile=profile, **options))
    expect("cmyk-icc.jpg", through(profile, Image.open("cmyk-icc.jpg"), "CMYK"))


def through(profile, image, mode):
    """LittleCMS's conversion to sRGB, as browsers ask for it, with alpha put back."""
    source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
    transform = ImageCms.buildTransform(
        source, ImageCms.createProfile("sRGB"), mode, "RGB",
        renderingIntent=ImageCms.Intent.PERCEPTUAL)
    rgb = np.array(ImageCms.applyTransform(image.convert(mode), transform))
    alpha = np.array(image.convert("RGBA").getchannel("A")) if image.mode != "CMYK" else 255
    return np.dstack([rgb, np.broadcast_to(alpha, rgb.shape[:2])])


def checked(primaries, rgb, decoded, found):
    """LittleCMS must agree with the formulas, by floating point, to two levels."""
    light = decoded(rgb / 255.0) @ primaries.to_xyz().T @ np.linalg.inv(SRGB.to_xyz()).T
    wanted = np.rint(srgb_encoded(np.clip(light, 0, 1)) * 255)
    difference = np.abs(wanted - found[..., :3]).max()
    assert difference <= 2, difference


def wide_gamut():
    rgb = drawing()
    half = np.dstack([rgb, alphas()])
    adobe = lambda codes: codes ** (563 / 256)
    for name, primaries, curve, decoded in [
            ("p3", DISPLAY_P3, "srgb", srgb_decoded), ("adobe-rgb", ADOBE_RGB, 563 / 256, adobe)]:
        profile = rgb_profile(primaries, curve)
        files = [
            (f"{name}-jpeg.jpg", rgb, {"quality": 95, "subsampling": 0}),
            (f"{name}-png.png", half, {}),
            (f"{name}-lossless.webp", half, {"lossless": True, "exact": True}),
            (f"{name}-lossy.webp", rgb, {"quality": 95}),
        ]
        for file, pixels, options in files:
            Image.fromarray(pixels).save(file, icc_profile=profile, **options)
            image = Image.open(file)
            found = through(profile, image, "RGB")
            checked(primaries, np.array(image.convert("RGB")), decoded, found)
            expect(file, found)
    gray = Image.fromarray(rgb).convert("L")
    profile = gray_profile(1.8)
    for file, options in [("gray-icc-jpeg.jpg", {"quality": 95}), ("gray-icc-png.png", {})]:
        gray.save(file, icc_profile=profile, **options)
        expect(file, through(profile, Image.open(file), "L"))
    srgb = rgb_profile(SRGB, "srgb")
    Image.fromarray(rgb).save("srgb-icc.png", icc_profile=srgb)
    expect("srgb-icc.png", opaque(rgb))


def png_chunks():
    rgb = drawing()
    plain = encoded(Image.fromarray(rgb), "PNG")
    gamma = lambda value: (b"gAMA", struct.pack(">I", round(value * 100000)))
    # Apple RGB's primaries (Trinitron) and curve.
    chromaticities = [0.3127, 0.3290, 0.625, 0.340, 0.280, 0.595, 0.155, 0.070]
    chrm = (b"cHRM", struct.pack(">8I", *[round(value * 100000) for value in chromaticities]))
    apple = type(SRGB)(*chromaticities)
    keep("gama-linear.png", with_chunks(plain, gamma(1)))
    expect("gama-linear.png", opaque(np.rint(srgb_encoded(rgb / 255) * 255)))
    # Steps of 1/2048 of white, which 8 bits would make three levels of.
    steps = np.arange(WIDTH * HEIGHT).reshape(HEIGHT, WIDTH, 1) % 48 * 32
    ramp = np.broadcast_to(steps, (HEIGHT, WIDTH, 3))
    keep("gama-deep.png", with_chunks(deep_png(ramp), gamma(1)))
    expect("gama-deep.png", opaque(np.rint(srgb_encoded(ramp / 65535) * 255)))
    keep("gama-chrm.png", with_chunks(plain, gamma(1 / 1.8), chrm))
    light = (rgb / 255) ** 1.8 @ apple.to_xyz().T @ np.linalg.inv(SRGB.to_xyz()).T
    expect("gama-chrm.png", opaque(np.rint(srgb_encoded(np.clip(light, 0, 1)) * 255)))
    same = {
        "srgb-wins.png": [(b"sRGB", b"\0"), gamma(1), chrm],
        "gama-usual.png": [gamma(0.45455)],
        "gama-tiny.png": [gamma(0.00001)],
        "gama-zero.png": [gamma(0)],
        "gama-huge.png": [gamma(40000)],
        # libpng takes these.
        "gama-small.png": [gamma(0.001)],
        "gama-large.png": [gamma(50)],
        "chrm-alone.png": [chrm],
    }
    for name, chunks in same.items():
        keep(name, with_chunks(plain, *chunks))
        expect(name, opaque(rgb))
    # What is written in the chunk loses against the profile.
    profile = rgb_profile(DISPLAY_P3, "srgb")
    keep("icc-wins.png", with_chunks(
        encoded(Image.fromarray(rgb), "PNG"), gamma(1), chrm,
        (b"iCCP", b"P3\0\0" + zlib.compress(profile))))
    expect("icc-wins.png", through(profile, Image.fromarray(rgb), "RGB"))


if __name__ == "__main__":
    for make in [small_sizes, clear, depths, alpha_kinds, interlaced, ink_files, wide_gamut,
                 png_chunks]:
        make()

"""Encodes small animations with every way of disposing and blending, and keeps the frames that others compose."""
import io
import os
import struct
import subprocess
import tempfile
import zlib

import numpy as np
from PIL import Image, ImageSequence

WIDTH, HEIGHT = 24, 16


def ground():
    pixels = np.zeros((HEIGHT, WIDTH, 4), np.uint8)
    for y in range(HEIGHT):
        for x in range(WIDTH):
            pixels[y, x] = (40 + x * 8, 60 + y * 8, 200 - x * 4, 255)
    return pixels


def patch(color, alpha=255, hole=True):
    """A plain patch of 10 × 8, with a clear hole."""
    pixels = np.zeros((8, 10, 4), np.uint8)
    pixels[...] = (*color, alpha)
    if hole:
        pixels[3:5, 3:7] = 0
    return pixels


RED, GREEN, BLUE = patch((230, 30, 30)), patch((30, 200, 60)), patch((40, 40, 230))


def frames_of(name):
    """All frames as Pillow composes them, and their delays."""
    image = Image.open(name)
    return [(np.array(frame.convert("RGBA")), frame.info.get("duration", 0))
            for frame in ImageSequence.Iterator(image)]


def expect(name, frames):
    with open(name.rsplit(".", 1)[0] + ".frames", "wb") as file:
        for pixels, delay in frames:
            file.write(struct.pack("<I", int(delay)) + pixels.tobytes())


def in_folder(images):
    folder = tempfile.mkdtemp()
    for index, pixels in enumerate(images):
        Image.fromarray(pixels).save(f"{folder}/{index}.png")
    return folder


def gif(name, steps, loop, *options):
    """steps: pixels, disposal, x, y, hundredths."""
    folder = in_folder([step[0] for step in steps])
    arguments = ["convert", "-loop", str(loop)]
    for index, (_, disposal, x, y, delay) in enumerate(steps):
        arguments += ["-delay", str(delay), "-dispose", disposal, "-page",
                      f"{WIDTH}x{HEIGHT}+{x}+{y}", f"{folder}/{index}.png"]
    subprocess.run([*arguments, *options, name], check=True)
    # Pillow fills what is disposed of with the palette's first colour; browsers and ImageMagick clear it.
    raw = subprocess.run(
        ["convert", name, "-coalesce", "-depth", "8", "rgba:-"], check=True,
        capture_output=True).stdout
    composed = np.frombuffer(raw, np.uint8).reshape(-1, HEIGHT, WIDTH, 4)
    found = [(pixels, delay) for pixels, (_, delay) in zip(composed, frames_of(name))]
    expect(name, found)


def webp(name, steps, loop):
    """steps: pixels, disposal 0 or 1, blend or not, x, y (even), milliseconds."""
    folder = in_folder([step[0] for step in steps])
    arguments = ["webpmux"]
    for index, (_, disposal, blend, x, y, delay) in enumerate(steps):
        subprocess.run(["cwebp", "-quiet", "-lossless", "-exact", f"{folder}/{index}.png", "-o",
                        f"{folder}/{index}.webp"], check=True)
        sign = "+b" if blend else "-b"
        arguments += ["-frame", f"{folder}/{index}.webp", f"+{delay}+{x}+{y}+{disposal}{sign}"]
    subprocess.run([*arguments, "-loop", str(loop), "-bgcolor", "255,9,9,9", "-o", name],
                   check=True, capture_output=True)
    # Pillow does not tell the delays.
    expect(name, [(pixels, step[5]) for (pixels, _), step in zip(frames_of(name), steps)])


def chunk(name, payload):
    return struct.pack(">I", len(payload)) + name + payload + struct.pack(
        ">I", zlib.crc32(name + payload))


def chunks_of(image):
    """IHDR's payload, the chunks that pixels need, and the data of a PNG by Pillow."""
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    data, offset, kept, pixels, header = buffer.getvalue(), 8, b"", b"", b""
    while offset < len(data):
        length = struct.unpack(">I", data[offset:offset + 4])[0]
        name, payload = data[offset + 4:offset + 8], data[offset + 8:offset + 8 + length]
        if name == b"IHDR":
            header = payload
        elif name in (b"PLTE", b"tRNS"):
            kept += chunk(name, payload)
        elif name == b"IDAT":
            pixels += payload
        offset += 12 + length
    return header, kept, pixels


def apng(name, images, steps, plays, hidden=None):
    """steps: disposal, blend, x, y, delay's numerator and denominator. `hidden` is a default image and no frame."""
    parts = [chunks_of(image) for image in images]
    first = chunks_of(hidden) if hidden else parts[0]
    out = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", first[0])
    out += chunk(b"acTL", struct.pack(">II", len(steps), plays)) + first[1]
    if hidden:
        out += chunk(b"IDAT", first[2])
    sequence = 0
    for index, ((header, _, data), (disposal, blend, x, y, number, unit)) in enumerate(
            zip(parts, steps)):
        out += chunk(b"fcTL", struct.pack(">I", sequence) + header[:8] + struct.pack(
            ">IIHHBB", x, y, number, unit, disposal, blend))
        sequence += 1
        half = len(data) // 2
        for part in (data[:half], data[half:]):
            if index == 0 and not hidden:
                out += chunk(b"IDAT", part)
            else:
                out += chunk(b"fdAT", struct.pack(">I", sequence) + part)
                sequence += 1
    with open(name, "wb") as file:
        file.write(out + chunk(b"IEND", b""))
    expect(name, taken_apart(name, [step[4] * 1000 // (step[5] or 100) for step in steps]))


def taken_apart(name, delays):
    """The frames as apngdis composes them; Pillow mixes alpha like a colour."""
    with tempfile.TemporaryDirectory() as folder:
        copy = f"{folder}/copy.png"
        with open(name, "rb") as source, open(copy, "wb") as target:
            target.write(source.read())
        subprocess.run(["apngdis", copy, "frame"], check=True, capture_output=True)
        return [(np.array(Image.open(f"{folder}/frame{index + 1}.png").convert("RGBA")), delay)
                for index, delay in enumerate(delays)]


def make():
    steps = [(ground(), "None", 0, 0, 8), (RED, "Background", 3, 2, 12),
             (GREEN, "Previous", 9, 5, 5), (BLUE, "None", 1, 7, 3), (RED, "None", 12, 1, 0)]
    gif("moving-gif.gif", steps, 2)
    gif("moving-interlaced.gif", steps, 0, "-interlace", "GIF")
    webp("moving-webp.webp", [
        (ground(), 0, False, 0, 0, 80), (RED, 1, True, 4, 2, 120),
        (patch((30, 200, 60), 128), 0, True, 8, 6, 5), (BLUE, 0, False, 2, 8, 15),
        (RED, 1, True, 12, 0, 200), (GREEN, 0, True, 0, 0, 40)], 3)
    pictures = [Image.fromarray(pixels) for pixels in (
        ground(), RED, patch((30, 200, 60), 128), BLUE, patch((9, 99, 199), 77), GREEN)]
    orders = [(0, 0, 0, 0, 8, 100), (1, 1, 3, 2, 12, 0), (2, 1, 9, 5, 1, 200), (0, 0, 1, 7, 15, 1000),
              (2, 0, 12, 1, 1, 5), (0, 1, 7, 4, 4, 100)]
    apng("moving-png.png", pictures, orders, 3)
    apng("moving-hidden.png", pictures, [(2, 1, 0, 0, 1, 10), *orders[1:]], 0,
         hidden=Image.fromarray(np.full((HEIGHT, WIDTH, 4), 222, np.uint8)))
    palette = Image.new("P", (WIDTH, HEIGHT), 0)
    palette.putpalette([255, 0, 0, 0, 255, 0, 0, 0, 255])
    second = palette.copy()
    second.paste(2, (5, 5, 15, 11))
    palette.info["transparency"] = second.info["transparency"] = 1
    palette.paste(1, (2, 2, 9, 9))
    apng("moving-palette.png", [palette, second.crop((4, 4, 18, 12))],
         [(0, 0, 0, 0, 3, 100), (0, 1, 4, 4, 3, 100)], 1)


make()

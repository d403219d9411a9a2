"""Writes small ICC profiles (version 2, ICC.1:2001-04): facts of colour spaces, no copies of anybody's file."""
import struct

import numpy as np

D50 = (0.9642, 1.0, 0.8249)


class Primaries:
    """Chromaticities of white, red, green and blue."""

    def __init__(self, *xy):
        self.white, self.red, self.green, self.blue = [xy[i:i + 2] for i in range(0, 8, 2)]

    def to_xyz(self):
        """The matrix from light to XYZ, white as it is."""
        tall = lambda xy: np.array([xy[0] / xy[1], 1, (1 - xy[0] - xy[1]) / xy[1]])
        columns = np.array([tall(xy) for xy in (self.red, self.green, self.blue)]).T
        return columns * np.linalg.solve(columns, tall(self.white))

    def to_d50(self):
        """The same, adapted to D50 by Bradford's matrix."""
        bradford = np.array(
            [[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])
        matrix = self.to_xyz()
        cones = (bradford @ D50) / (bradford @ matrix.sum(axis=1))
        return np.linalg.inv(bradford) @ np.diag(cones) @ bradford @ matrix


SRGB = Primaries(0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06)
DISPLAY_P3 = Primaries(0.3127, 0.3290, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060)
ADOBE_RGB = Primaries(0.3127, 0.3290, 0.64, 0.33, 0.21, 0.71, 0.15, 0.06)


def srgb_decoded(codes):
    return np.where(codes <= 0.04045, codes / 12.92, ((codes + 0.055) / 1.055) ** 2.4)


def srgb_encoded(light):
    return np.where(
        light <= 0.0031308, light * 12.92, 1.055 * np.maximum(light, 1e-9) ** (1 / 2.4) - 0.055)


def fixed(value):
    return struct.pack(">i", round(value * 65536))


def xyz(values):
    return b"XYZ \0\0\0\0" + b"".join(fixed(value) for value in values)


def curve(kind):
    """sRGB's as a table of 1024, or an exponent."""
    if kind == "srgb":
        table = np.rint(srgb_decoded(np.arange(1024) / 1023) * 65535).astype(">u2")
        return b"curv\0\0\0\0" + struct.pack(">I", 1024) + table.tobytes()
    return b"curv\0\0\0\0" + struct.pack(">IH", 1, round(kind * 256))


def text(words):
    data = words.encode() + b"\0"
    return b"desc\0\0\0\0" + struct.pack(">I", len(data)) + data + bytes(12 + 67)


def profile(kind, space, connection, tags):
    """A header and a table of tags; equal tags share their bytes."""
    tags = [(b"desc", text("test")), (b"cprt", b"text\0\0\0\0none\0"), (b"wtpt", xyz(D50)), *tags]
    table, body, places = b"", b"", {}
    start = 128 + 4 + 12 * len(tags)
    for name, data in tags:
        if data not in places:
            places[data] = start + len(body)
            body += data + bytes(-len(data) % 4)
        table += name + struct.pack(">II", places[data], len(data))
    header = struct.pack(">I4sI4s4s4s", start + len(body), b"\0\0\0\0", 0x02400000, kind, space,
                         connection)
    header += bytes(12) + b"acsp" + bytes(28) + b"".join(fixed(value) for value in D50)
    header += bytes(128 - len(header))
    return header + struct.pack(">I", len(tags)) + table + body


def rgb_profile(primaries, kind):
    matrix = primaries.to_d50()
    columns = [(name, xyz(matrix[:, i])) for i, name in enumerate([b"rXYZ", b"gXYZ", b"bXYZ"])]
    curves = [(name, curve(kind)) for name in [b"rTRC", b"gTRC", b"bTRC"]]
    return profile(b"mntr", b"RGB ", b"XYZ ", columns + curves)


def gray_profile(exponent):
    return profile(b"mntr", b"GRAY", b"XYZ ", [(b"kTRC", curve(exponent))])


def inks_profile():
    """Four made-up inks: each multiplies light (Beer's law), then CIE Lab on a grid of 5 to the 4th, 8 bits each."""
    steps = np.linspace(0, 1, 5)
    c, m, y, k = np.meshgrid(steps, steps, steps, steps, indexing="ij")
    density = np.stack([1.9 * c + 0.25 * m + 0.05 * y, 0.45 * c + 1.7 * m + 0.15 * y,
                        0.15 * c + 0.7 * m + 1.6 * y], axis=-1) + 1.8 * k[..., None]
    light = np.exp(-density)
    xyz_values = light @ SRGB.to_d50().T / np.array(D50)
    f = np.where(xyz_values > 0.008856, np.cbrt(xyz_values), 7.787 * xyz_values + 16 / 116)
    lab = np.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]),
                    200 * (f[..., 1] - f[..., 2])], axis=-1)
    coded = np.rint(lab * [2.55, 1, 1] + [0, 128, 128]).clip(0, 255).astype(np.uint8)
    identity = b"".join(fixed(value) for value in np.eye(3).ravel())
    ramp = bytes(range(256))
    lut = b"mft1\0\0\0\0" + bytes([4, 3, 5, 0]) + identity + ramp * 4 + coded.tobytes() + ramp * 3
    return profile(b"prtr", b"CMYK", b"Lab ", [(b"A2B0", lut)])

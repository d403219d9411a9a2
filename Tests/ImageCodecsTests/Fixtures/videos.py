#!/usr/bin/env python3
"""Makes short videos of colour patches, and stills of the drawing, in the formats that FFmpeg's libraries read.

Needs ffmpeg 5.1 with libx264, libvpx, libtheora, and ImageMagick 6; see README.md. The stills are made from the pixels of jxl-alpha and
jxl-lossless.
"""
import os
import subprocess

WIDTH, HEIGHT = 64, 48
PATCHES = [(200, 60, 40), (40, 180, 70), (50, 70, 190), (220, 220, 220)]


def ffmpeg(*words, data=None):
    subprocess.run(["ffmpeg", "-y", "-v", "error", *words], input=data, check=True)


def frames():
    """A black frame, then nineteen with a patch in each quarter: 2 seconds."""
    top, bottom = ([bytes(PATCHES[i]) * (WIDTH // 2) for i in pair] for pair in [(0, 1), (2, 3)])
    picture = b"".join(top) * (HEIGHT // 2) + b"".join(bottom) * (HEIGHT // 2)
    return bytes(len(picture)) + picture * 19


def video(name, *words, space="bt709", values="tv", form="yuv420p", filters=""):
    ffmpeg("-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{WIDTH}x{HEIGHT}", "-r", "10", "-i", "-",
           "-vf", f"scale=out_color_matrix={space}:out_range={values}:flags=accurate_rnd+full_chroma_int,format={form}{filters}",
           "-g", "1", *words, "-colorspace", space, "-color_range", values, "-fflags", "+bitexact", "-flags", "+bitexact",
           f"video-{name}", data=frames())


X264 = ["-c:v", "libx264", "-crf", "12", "-bf", "0", "-preset", "slow", "-movflags", "+faststart"]
video("709.mp4", *X264)
video("601.mp4", *X264, space="smpte170m")
video("full.mp4", *X264, values="pc", form="yuvj420p")
video("bframes.mkv", *X264[:-2], "-bf", "2", "-g", "20")
video("late.mov", *X264[:-2])
video("wide.mkv", *X264[:-2], filters=",setsar=2/1")
video("vp9.webm", "-c:v", "libvpx-vp9", "-crf", "10", "-b:v", "0")
video("vp8.webm", "-c:v", "libvpx", "-crf", "4", "-b:v", "1M", space="smpte170m")
video("mjpeg.avi", "-c:v", "mjpeg", "-q:v", "2", space="smpte170m", values="pc", form="yuvj420p")
video("mpeg2.mpg", "-c:v", "mpeg2video", "-q:v", "2", "-r", "25", space="smpte170m")
video("mpeg2.m2ts", "-c:v", "mpeg2video", "-q:v", "2", "-r", "25", space="smpte170m")
video("flash.flv", "-c:v", "flv", "-q:v", "2", space="smpte170m")
video("theora.ogv", "-c:v", "libtheora", "-q:v", "9", space="smpte170m")
ffmpeg("-i", "video-709.mp4", "-c", "copy", "-metadata:s:v", "rotate=90", "-fflags", "+bitexact", "video-turned.mp4")
ffmpeg("-f", "lavfi", "-i", "sine=duration=1", "-c:a", "aac", "-b:a", "16k", "-fflags", "+bitexact", "video-none.mp4")
# High definition that does not name its colours is taken for BT.709.
ffmpeg("-f", "lavfi", "-i", "color=0x28B446:s=1280x720:r=1:d=1,format=rgb24,scale=out_color_matrix=bt709,format=yuv420p",
       *X264, "-fflags", "+bitexact", "-bsf:v", "h264_metadata=matrix_coefficients=2", "video-hd.mp4")

ALPHA = ["-f", "rawvideo", "-pix_fmt", "rgba", "-s", "32x24", "-i", "jxl-alpha.rgba"]
PLAIN = ["-f", "rawvideo", "-pix_fmt", "rgba", "-s", "32x24", "-i", "jxl-lossless.rgba"]
ONE = ["-frames:v", "1", "-update", "1", "-fflags", "+bitexact"]
ffmpeg(*PLAIN, "-pix_fmt", "rgb24", *ONE, "still-plain.ppm")
ffmpeg(*PLAIN, "-pix_fmt", "rgb48be", *ONE, "still-deep.ppm")
ffmpeg(*PLAIN, "-pix_fmt", "rgb24", *ONE, "still-plain.tga")
ffmpeg(*PLAIN, "-pix_fmt", "rgb24", "-c:v", "jpeg2000", "-pred", "dwt53", "-format", "j2k", "-q:v", "1", *ONE, "still-plain.j2k")
ffmpeg(*PLAIN, "-pix_fmt", "rgb24", "-c:v", "qoi", *ONE, "still-plain.qoi")
ffmpeg(*ALPHA, "-pix_fmt", "rgba", *ONE, "still-alpha.pam")
ffmpeg(*ALPHA, "-pix_fmt", "bgra", "-rle", "0", *ONE, "still-alpha.tga")
ffmpeg(*ALPHA, "-pix_fmt", "rgba", "-c:v", "qoi", *ONE, "still-alpha.qoi")
ffmpeg(*ALPHA, "-pix_fmt", "bgra", "-c:v", "bmp", *ONE, "still-alpha.ico")
ffmpeg("-i", "gray-alpha.png", "-vf", "extractplanes=y", "-pix_fmt", "gray", *ONE, "still-gray.pgm")
for name, size in [("plain", "jxl-lossless"), ("alpha", "jxl-alpha")]:
    subprocess.run(["convert", "-size", "32x24", "-depth", "8", f"rgba:{size}.rgba",
                    *(["-alpha", "off"] if name == "plain" else []), f"still-{name}.psd"], check=True)
subprocess.run(["convert", "-size", "32x24", "-depth", "8", "rgba:jxl-lossless.rgba", "-alpha", "off",
                "still-plain.jp2"], check=True)
subprocess.run(["convert", "-size", "32x24", "-depth", "8", "rgba:jxl-lossless.rgba", "-alpha", "off",
                "-monochrome", "still-bits.pbm"], check=True)

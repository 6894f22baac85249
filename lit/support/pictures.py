# pictures.py - pictures of pages at three widths, in light and dark; nothing is wider than the window.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   pictures.py FOLDER PAGE...
# Leaves FOLDER/NAME-WIDTH-SCHEME.png. Fails where a picture has another size than the window or next to no colours, where
# dark looks as light, or where the page is wider than the window (tables scroll in their own boxes).
import os
import re
import struct
import subprocess
import sys
import zlib

WIDTHS = (500, 900, 1400)  # chromium makes no narrower window
HEIGHT = 1000
BROWSER = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
           "--disable-component-update", "--disable-sync", "--disable-quic", "--hide-scrollbars", "--virtual-time-budget=20000"]
MEASURE = "<script>document.body.dataset.wide = document.documentElement.scrollWidth;</script>"


def browse(folder, page, width, scheme, *what):
    dark = ["--blink-settings=preferredColorScheme=0"] if scheme == "dark" else []
    return subprocess.run([*BROWSER, *dark, f"--user-data-dir={folder}/browser", f"--window-size={width},{HEIGHT}", *what,
                           f"file://{os.path.abspath(page)}"], capture_output=True, text=True, check=True, timeout=240).stdout


def pixels(path):
    """Width, height, and the bytes of 8-bit RGB or RGBA lines, as they were filtered."""
    with open(path, "rb") as file:
        data = file.read()
    width, height = struct.unpack(">II", data[16:24])
    packed, at = b"", 8
    while at < len(data):
        size, = struct.unpack(">I", data[at:at + 4])
        packed += data[at + 8:at + 8 + size] if data[at + 4:at + 8] == b"IDAT" else b""
        at += size + 12
    raw = zlib.decompress(packed)
    return width, height, [raw[i:i + len(raw) // height] for i in range(0, len(raw), len(raw) // height)]


def width_of(folder, page, width):
    """How wide the page wants to be in such a window."""
    with open(page, encoding="utf-8") as file:
        text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", file.read(), count=1)
    copy = os.path.join(folder, "measured.html")
    with open(copy, "w", encoding="utf-8") as file:
        file.write(text + MEASURE)
    return int(re.search(r'data-wide="(\d+)"', browse(folder, copy, width, "light", "--dump-dom"))[1])


def look(folder, page):
    name = os.path.splitext(os.path.basename(page))[0]
    for width in WIDTHS:
        wide = width_of(folder, page, width)
        lines = {}
        for scheme in ("light", "dark"):
            picture = os.path.join(folder, f"{name}-{width}-{scheme}.png")
            browse(folder, page, width, scheme, f"--screenshot={picture}")
            shown, height, lines[scheme] = pixels(picture)
            if (shown, height) != (width, HEIGHT) or len(set(lines[scheme])) < 50:
                return f"{picture}: {shown} x {height}, {len(set(lines[scheme]))} different lines"
        if lines["light"] == lines["dark"]:
            return f"{name} {width}: dark looks as light"
        if wide > width:
            return f"{name}: {wide} wide in a window of {width}"
        print(f"{name} {width}: fine")
    return None


for page in sys.argv[2:]:
    problem = look(sys.argv[1], page)
    if problem:
        sys.exit(problem)

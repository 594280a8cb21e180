#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Muster contributors
# SPDX-License-Identifier: MIT
"""Draws captured terminal text as an SVG.

    script -qec "stty cols 100; ./muster run" run.txt
    Engine/Build/Scripts/terminal_svg.py run.txt Docs/Images/run.svg --title "./muster run"

Colours (SGR 0, 1, 2, 30-37, 90-97), carriage returns, cursor-up and erase-below are understood, so a table that was redrawn
in place comes out as it was last seen. --last N keeps the last N lines. Only the standard library is used.
"""

import argparse
import html
import re
import sys
from pathlib import Path

CELL_WIDTH, LINE_HEIGHT, FONT_SIZE, PADDING, BAR = 8.4, 19, 14, 16, 34
BACKGROUND, FOREGROUND, FRAME, TITLE = "#14181f", "#d5dae3", "#2b323d", "#8b95a5"
COLORS = ["#3b4252", "#e06c75", "#7fc47f", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d5dae3"]
RECORDER = re.compile(r"^Script (started|done) on .*\n?", re.MULTILINE)  # lines that script(1) adds
WORDS = re.compile(r"\S+(?: \S+)*")
ESCAPE = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])|\x1b.")
PLAIN = (None, False, False)  # colour, bold, dim


class Screen:
    """Lines of (character, style) cells and a cursor."""

    def __init__(self):
        self.lines, self.row, self.column, self.style = [[]], 0, 0, PLAIN

    def feed(self, text):
        position = 0
        for match in ESCAPE.finditer(text):
            self._write(text[position:match.start()])
            position = match.end()
            if match.group(2):
                self._escape(match.group(1), match.group(2))
        self._write(text[position:])

    def _write(self, text):
        for character in text:
            if character == "\n":
                self.row, self.column = self.row + 1, 0
                if self.row == len(self.lines):
                    self.lines.append([])
            elif character == "\r":
                self.column = 0
            elif character == "\t":
                self._write(" " * (8 - self.column % 8))
            elif character.isprintable():
                line = self.lines[self.row]
                line.extend([(" ", PLAIN)] * (self.column + 1 - len(line)))
                line[self.column] = (character, self.style)
                self.column += 1

    def _escape(self, arguments, command):
        numbers = [int(n) for n in arguments.split(";") if n.isdigit()]
        if command == "m":
            for number in numbers or [0]:
                self._attribute(number)
        elif command == "A":
            self.row = max(0, self.row - (numbers or [1])[0])
        elif command == "J":
            del self.lines[self.row + 1:]
            del self.lines[self.row][self.column:]
        elif command == "K":
            del self.lines[self.row][self.column:]

    def _attribute(self, number):
        color, bold, dim = self.style
        if number == 0:
            self.style = PLAIN
        elif number == 1:
            self.style = (color, True, dim)
        elif number == 2:
            self.style = (color, bold, True)
        elif number == 22:
            self.style = (color, False, False)
        elif number == 39:
            self.style = (None, bold, dim)
        elif 30 <= number <= 37 or 90 <= number <= 97:
            self.style = (COLORS[number % 10], bold, dim)


def spans(line):
    """(column, text, style) for each stretch of one style. Wide blanks are left out, as viewers differ in keeping them."""
    start = 0
    while start < len(line):
        end = start
        while end < len(line) and line[end][1] == line[start][1]:
            end += 1
        text = "".join(character for character, _ in line[start:end])
        for words in WORDS.finditer(text):
            yield start + words.start(), words.group(), line[start][1]
        start = end


def draw(lines, title):
    columns = max([len(line) for line in lines] + [60])
    width = round(columns * CELL_WIDTH + 2 * PADDING)
    height = BAR + len(lines) * LINE_HEIGHT + PADDING
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
        f'<rect width="{width}" height="{height}" rx="8" fill="{BACKGROUND}" stroke="{FRAME}"/>',
    ]
    for index, color in enumerate(("#e06c75", "#e5c07b", "#7fc47f")):
        out.append(f'<circle cx="{PADDING + 4 + index * 18}" cy="17" r="5" fill="{color}"/>')
    out.append(f'<g font-family="ui-monospace, DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="{FONT_SIZE}" '
               f'fill="{FOREGROUND}">')
    if title:
        out.append(f'<text x="{width / 2:g}" y="21" text-anchor="middle" fill="{TITLE}">{html.escape(title)}</text>')
    for row, line in enumerate(lines):
        y = BAR + row * LINE_HEIGHT + FONT_SIZE
        for column, text, (color, bold, dim) in spans(line):
            style = (f' fill="{color}"' if color else "") + (' font-weight="bold"' if bold else "")
            style += ' opacity="0.65"' if dim else ""
            # The stated length keeps columns aligned whatever monospaced font the viewer has.
            length = f' textLength="{len(text) * CELL_WIDTH:g}" lengthAdjust="spacingAndGlyphs"'
            out.append(f'<text x="{PADDING + column * CELL_WIDTH:g}" y="{y}"{length}{style}>{html.escape(text)}</text>')
    return "\n".join(out + ["</g>", "</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("text", help="captured text; - for standard input")
    parser.add_argument("svg", help="the picture to write")
    parser.add_argument("--title", default="", help="in the picture's top bar")
    parser.add_argument("--last", type=int, default=0, help="keep only so many lines at the end")
    arguments = parser.parse_args()
    data = sys.stdin.buffer.read() if arguments.text == "-" else Path(arguments.text).read_bytes()
    screen = Screen()
    screen.feed(RECORDER.sub("", data.decode("utf-8", errors="replace").replace("\r\n", "\n")))
    lines = screen.lines
    while lines and not any(character.strip() for character, _ in lines[-1]):
        lines.pop()
    if arguments.last > 0:
        lines = lines[-arguments.last:]
    if not lines:
        sys.exit("terminal_svg.py: there is nothing to draw")
    target = Path(arguments.svg)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(draw(lines, arguments.title), encoding="utf-8")


if __name__ == "__main__":
    main()

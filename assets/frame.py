#!/usr/bin/env python3
"""Draws frame.svg, the picture of a frame in the README.

    python3 assets/frame.py > assets/frame.svg

Only the standard library; the same input gives the same bytes.
"""

from html import escape

WIDTH, HEIGHT = 1180, 344
INK, FAINT, PAPER = "#1f2733", "#66717f", "#fbfaf7"
OURS, OURS_EDGE = "#fff1d6", "#c98a1b"
BEVY, BEVY_EDGE = "#e8eef5", "#7d93ad"
FONT = "font-family='Segoe UI, Helvetica, Arial, sans-serif'"

SETS = [
    ("Receive", ["a turn opens;", "the gone leave"]),
    ("Collect", ["what was written", "becomes one turn"]),
    ("Settle", ["only what may", "differ recomputes"]),
    ("Publish", ["only what differs", "is written"]),
    ("React", ["each reaction", "once, in order"]),
    ("Release", ["what nobody", "holds goes"]),
]

shapes = []


def box(x, y, width, height, fill, edge):
    shapes.append(
        f"<rect x='{x}' y='{y}' width='{width}' height='{height}' rx='8' "
        f"fill='{fill}' stroke='{edge}' stroke-width='1.5'/>"
    )


def text(x, y, words, size=13, fill=INK, weight="normal", anchor="middle"):
    shapes.append(
        f"<text x='{x}' y='{y}' {FONT} font-size='{size}' font-weight='{weight}' "
        f"text-anchor='{anchor}' fill='{fill}'>{escape(words)}</text>"
    )


def arrow(path, edge=INK, dashed=False):
    tip = "tip" if edge == INK else "tip-again"
    dash = " stroke-dasharray='5 4'" if dashed else ""
    shapes.append(
        f"<path d='{path}' fill='none' stroke='{edge}' stroke-width='1.5'{dash} marker-end='url(#{tip})'/>"
    )


def stage(x, title, lines):
    """One of Bevy's own stages, left and right of ours."""
    box(x, 88, 128, 110, BEVY, BEVY_EDGE)
    text(x + 64, 114, title, 15, weight="bold")
    for index, line in enumerate(lines):
        text(x + 64, 142 + 20 * index, line, 12, FAINT)


def draw():
    shapes.append(f"<rect width='{WIDTH}' height='{HEIGHT}' rx='12' fill='{PAPER}'/>")
    text(24, 36, "One frame", 17, weight="bold", anchor="start")
    text(132, 36, "a turn is collected, settled and published before anybody looks", 14, FAINT, anchor="start")

    stage(20, "Update", ["your systems", "write components", "and resources"])
    stage(1032, "PostUpdate", ["layout, transforms", "and rendering see", "settled values"])

    left, step, wide = 186, 136, 114
    box(left - 16, 66, step * len(SETS) + 10, 172, OURS, OURS_EDGE)
    text(left - 4, 58, "CogFrame", 13, OURS_EDGE, weight="bold", anchor="start")
    for index, (name, lines) in enumerate(SETS):
        x = left + step * index
        box(x, 88, wide, 110, "white", OURS_EDGE)
        text(x + wide / 2, 114, name, 15, weight="bold")
        for row, line in enumerate(lines):
            text(x + wide / 2, 142 + 20 * row, line, 11.5, FAINT)
        if index + 1 < len(SETS):
            arrow(f"M {x + wide} 143 H {x + step - 3}")
    arrow(f"M 148 143 H {left - 19}")
    last = left + step * (len(SETS) - 1) + wide
    arrow(f"M {last + 16} 143 H 1029")

    start = last - wide / 2
    arrow(f"M {start} 198 V 222 H {left + wide / 2} V 201", OURS_EDGE, dashed=True)
    text((start + left + wide / 2) / 2, 217, "again, while reactions have written or queued turns", 12, OURS_EDGE)

    text(24, 272, "For example", 14, weight="bold", anchor="start")
    row = 300
    text(84, row, "Health 80 → 55", 13)
    text(84, row + 20, "Armor 12, again", 13, FAINT)
    middle = left + step + wide / 2
    text(middle, row, "Health moved", 13)
    text(middle, row + 20, "Armor did not", 13, FAINT)
    text(middle + step, row, "threat(…) = 43", 13)
    text(middle + step, row + 20, "one row of 100,000", 12, FAINT)
    text(middle + 2 * step, row, "Threat 68 → 43", 13)
    text(middle + 2 * step, row + 20, "Changed<Threat>", 12, FAINT)
    text(middle + 3 * step, row, "68 → 43", 13)
    text(middle + 3 * step, row + 20, "seen once", 12, FAINT)
    text(1096, row, "draws 43", 13)
    text(1096, row + 20, "in this frame", 12, FAINT)


draw()
print(f"<svg xmlns='http://www.w3.org/2000/svg' width='{WIDTH}' height='{HEIGHT}' viewBox='0 0 {WIDTH} {HEIGHT}'>")
print("<!-- Drawn by frame.py: python3 assets/frame.py > assets/frame.svg -->")
print("<title>One frame: Update, then Receive, Collect, Settle, Publish, React, Release, then PostUpdate</title>")
print("<defs>")
for name, fill in [("tip", INK), ("tip-again", OURS_EDGE)]:
    print(f"<marker id='{name}' viewBox='0 0 8 8' refX='7' refY='4' markerWidth='7' markerHeight='7' orient='auto'>")
    print(f"<path d='M 0 0 L 8 4 L 0 8 z' fill='{fill}'/></marker>")
print("</defs>")
print("\n".join(shapes))
print("</svg>")

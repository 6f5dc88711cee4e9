"""The picture of docs/guide/accuracy.md, from the JSON of `tools/bench accuracy --json`.

Usage: python3 -m bench.accuracy.picture REPORT.json > docs/guide/accuracy.svg
"""

import json
import math
import sys

COLORS = {"opendp": "#4477aa", "diffprivlib": "#ee6677", "google": "#228833", "pipelinedp": "#ccbb44", "smartnoise": "#aa3377"}
LEFT, RIGHT, TOP, STEP, WIDTH = 250, 20, 64, 17, 760
LEAST, GREATEST = 0.03, 3.0


def x_of(ratio):
    part = math.log(min(max(ratio, LEAST), GREATEST) / LEAST) / math.log(GREATEST / LEAST)
    return LEFT + part * (WIDTH - LEFT - RIGHT)


def picture(report):
    ratios = {case: found for case, found in report["confidence"].items() if found}
    height = TOP + STEP * len(ratios) + 12
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="11">',
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        f'<text x="{LEFT}" y="16">Our mean error over that of each peer, 95 % confidence; left of 1 ours is smaller</text>',
    ]
    for place, (name, color) in enumerate(COLORS.items()):
        x = LEFT + 95 * place
        parts.append(f'<circle cx="{x + 4}" cy="30" r="4" fill="{color}"/><text x="{x + 12}" y="34">{name}</text>')
    for tick in (0.03, 0.1, 0.3, 1, 3):
        x, color = x_of(tick), "#000" if tick == 1 else "#ddd"
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 8}" y2="{height - 8}" stroke="{color}"/>')
        parts.append(f'<text x="{x:.1f}" y="{TOP - 12}" text-anchor="middle">{tick:g}</text>')
    for place, (case, found) in enumerate(ratios.items()):
        y = TOP + STEP * place + 6
        parts.append(f'<text x="{LEFT - 10}" y="{y + 4}" text-anchor="end">{case}</text>')
        for name, (low, ratio, high) in found.items():
            parts.append(
                f'<line x1="{x_of(low):.1f}" x2="{x_of(high):.1f}" y1="{y}" y2="{y}" stroke="{COLORS[name]}"/>'
                f'<circle cx="{x_of(ratio):.1f}" cy="{y}" r="4" fill="{COLORS[name]}"/>'
            )
    return "\n".join([*parts, "</svg>"])


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        print(picture(json.load(file)))

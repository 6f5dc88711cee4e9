"""The picture of docs/theory/post-processing.md: naive and simultaneous intervals of the three largest of fifty counts.

Usage: python3 tools/selection_picture.py > docs/theory/post-processing.svg
"""
import math
import random

GROUPS, SCALE, CHOSEN, RELEASES, TRUTH = 50, 2.0, 3, 12, 100
WIDTH, HEIGHT, LEFT, TOP = 720, 300, 60, 40


def noise(draw):
    """Two-sided geometric noise of the scale: the difference of two geometric draws."""
    part = math.exp(-1 / SCALE)
    one, other = (int(math.log(1 - draw.random()) / math.log(part)) for _ in range(2))
    return one - other


def margin(miss):
    """The least whole number that the noise passes with at most this probability, both sides together."""
    part = math.exp(-1 / SCALE)
    k = 0
    while 2 * part ** (k + 1) / (1 + part) > miss:
        k += 1
    return k


def place(count):
    return TOP + (HEIGHT - 2 * TOP) * (1 - (count - TRUTH + 16) / 46)


def interval(x, center, width, shade, thick):
    top, bottom = place(center + width), place(center - width)
    return f'<line x1="{x:.0f}" x2="{x:.0f}" y1="{top:.1f}" y2="{bottom:.1f}" stroke="{shade}" stroke-width="{thick}"/>'


def main():
    draw = random.Random(9)
    naive, together = margin(0.05), margin(0.05 / GROUPS)
    marks, missed, wide = [], 0, 0
    for release in range(RELEASES):
        largest = sorted((TRUTH + noise(draw) for _ in range(GROUPS)), reverse=True)[:CHOSEN]
        for i, count in enumerate(largest):
            x = LEFT + 20 + release * (WIDTH - LEFT - 40) / RELEASES + i * 12
            is_missed = abs(count - TRUTH) > naive
            missed += is_missed
            wide += abs(count - TRUTH) > together
            marks += [interval(x, count, together, "#b8c4cc", 5), interval(x, count, naive, "#c0392b" if is_missed else "#2c3e50", 2),
                      f'<circle cx="{x:.0f}" cy="{place(count):.1f}" r="2.5" fill="#2c3e50"/>']
    lines = [f'<text x="{LEFT - 8}" y="{place(y) + 4:.1f}" text-anchor="end">{y}</text>' for y in (90, 100, 110, 120)]
    title = (f"The three largest of {GROUPS} published counts, in {RELEASES} releases; every exact count is {TRUTH}. "
             f"{missed} of {RELEASES * CHOSEN} naive 95 % intervals (thin; red) miss it, {wide or 'none'} of the simultaneous ones (wide).")
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="11">\n'
          f'<title>{title}</title>\n<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>\n'
          f'<text x="{LEFT}" y="20">{title[:title.index(".") + 1]}</text>\n'
          f'<line x1="{LEFT}" x2="{WIDTH - 10}" y1="{place(TRUTH):.1f}" y2="{place(TRUTH):.1f}" stroke="#27ae60"/>\n'
          + "\n".join(lines + marks)
          + f'\n<text x="{LEFT}" y="{HEIGHT - 12}">{title[title.index(".") + 2:]}</text>\n</svg>')


if __name__ == "__main__":
    main()

"""The kinds of intervals, each at some numbers of rows, and how wide it may be over what its worst cell needs."""

# {kind: (greatest width over need, numbers of rows)}; what is above 1.10 is told in docs/theory/intervals.md.
KINDS = {
    "mean": (1.10, (60, 1000)),
    "guaranteed-mean": (2.00, (60, 1000)),
    "public-count-mean": (1.10, (60, 1000)),
    "share": (1.10, (60, 1000)),
    "variance": (1.25, (60, 1000)),
    "count": (1.10, (60, 1000)),
    "sum": (1.10, (60, 1000)),
    "difference": (1.25, (1000,)),
    "median": (1.16, (10, 16, 20, 40, 100)),
    "rows-count": (1.10, (60,)),
    "rows-mean": (1.10, (60, 1000)),
    "rows-variance": (1.25, (60, 1000)),
    "selected-count": (1.25, (60,)),
}
ALPHAS = ("0.2", "0.05")


def name(kind, rows, alpha):
    return f"{kind}, {rows} rows, alpha {alpha}"


def line(kind, rows, alpha):
    return f"{kind} {rows} {alpha}"


ALL = {
    name(kind, rows, alpha): line(kind, rows, alpha)
    for kind, (_, sizes) in KINDS.items()
    for rows in sizes
    for alpha in ALPHAS
}

"""What is asked of everybody: a figure, the number of rows and epsilon, as a line such as `error 2500 1`."""

FIGURES = {
    "error": "95 % of errors of a slope within",
    "margin": "half width of a slope over its errors",
    "plug-in": "half width of a slope over the plug-in's",
    "forecast": "the plan's half width of a slope over the real one",
    "slope": "milliseconds for a slope",
    "regression": "milliseconds for a regression on four columns",
}
ROWS = (500, 2_500, 25_000)
X_STEPS, Y_STEPS = 15, 150


def name(figure, rows):
    return f"{FIGURES[figure]}, n {rows:,}, epsilon 1"


def line(figure, rows):
    return f"{figure} {rows} 1"


ALL = {name(f, n): line(f, n) for f in FIGURES for n in ROWS}


def parse(text):
    figure, rows, epsilon = text.split()
    return figure, int(rows), float(epsilon)


def evenly(i, factor):
    return i * factor % 2**32 / 2**32


def values(rows):
    """Steps of x, 0 to 15, and of y, 0 to 150, as schooling and income go together: y rises by 5 a step, widely scattered."""
    pairs = []
    for i in range(1, rows + 1):
        x = int(16 * evenly(i, 2654435761) ** 0.7)
        y = 20 + 5 * x + 60 * (evenly(i, 2246822519) + evenly(i, 3266489917) - 1)
        pairs.append((x, min(Y_STEPS, max(0, int(y + 0.5)))))
    return pairs


def exact(rows):
    """The slope, of range over range."""
    data = values(rows)
    mean_x, mean_y = sum(x for x, _ in data) / rows, sum(y for _, y in data) / rows
    xx = sum((x - mean_x) ** 2 for x, _ in data)
    xy = sum((x - mean_x) * (y - mean_y) for x, y in data)
    return xy / xx * X_STEPS / Y_STEPS

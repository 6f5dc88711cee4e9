"""What is asked of everybody: a statistic, the number of rows and epsilon, as a line such as `variance 1000 0.1`."""

STATISTICS = ("variance", "stddev", "people")
ROWS = (1_000, 10_000)
EPSILONS = ("0.1", "1")
UPPER = 200_000.0


def name(statistic, rows, epsilon):
    return f"{statistic}, n {rows:,}, epsilon {epsilon}"


def line(statistic, rows, epsilon):
    return f"{statistic} {rows} {epsilon}"


ALL = {name(s, n, e): line(s, n, e) for s in STATISTICS for n in ROWS for e in EPSILONS}


def parse(text):
    statistic, rows, epsilon = text.split()
    return statistic, int(rows), float(epsilon)


def values(rows):
    """Spread over [0, 200000] as cubes of evenly spread numbers are: many small ones, few large ones."""
    return [UPPER * (i * 2654435761 % 2**32 / 2**32) ** 3 for i in range(1, rows + 1)]


def exact(statistic, rows):
    if statistic == "people":
        return rows
    data = values(rows)
    mean = sum(data) / rows
    variance = sum((x - mean) ** 2 for x in data) / rows
    return variance if statistic == "variance" else variance**0.5

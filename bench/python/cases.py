"""The cases of the Python benchmark: their names, and the lines by which contenders are asked.

    calibrate MECHANISM KEY=NUMBER ...     all figures of a release at sensitivity 1, alpha 0.05
    convert NAME FIRST ALPHA               a conversion of opendp.accuracy
    draw LAW SCALE                         a vector of 1,000,000 draws
"""

DRAWS = 1_000_000

CALIBRATE = {
    f"calibrate {asked}": f"calibrate {asked}"
    for asked in (
        "laplace epsilon=0.1",
        "geometric epsilon=0.1",
        "geometric accuracy=50",
        "gaussian epsilon=1 delta=1e-6",
        "gaussian scale=20.3",
        "discrete-gaussian epsilon=1 delta=1e-6",
        "discrete-gaussian scale=20.3",
    )
}
CONVERT = {
    name: f"convert {name} 20.3 0.05"
    for law in ("laplacian", "gaussian", "discrete_laplacian", "discrete_gaussian")
    for name in (f"{law}_scale_to_accuracy", f"accuracy_to_{law}_scale")
}
DRAW = {
    f"1e6 draws, {law} {scale}": f"draw {law} {scale}"
    for law, scale in (("geometric", "10"), ("geometric", "1000"), ("discrete-gaussian", "20.3"), ("laplace", "1"), ("gaussian", "1"))
}
ALL = CALIBRATE | CONVERT | DRAW


def parse(line):
    """The kind of a line, its name, and what comes after: numbers, or for a calibration a dictionary of them."""
    kind, name, *rest = line.split()
    if kind == "calibrate":
        return kind, name, {key: float(value) for key, value in (word.split("=") for word in rest)}
    return kind, name, [float(word) for word in rest]

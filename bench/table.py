"""A report as text: figures side by side, ratios, and whether each target is met."""


def table(task, report):
    parts = [_grid(_figure_rows(task, report)), _grid(_ratio_rows(task, report)), _grid(_target_rows(report))]
    parts += [_grid(_bounds_rows(task, report)), _grid(_error_rows(task, report))]
    present = _present(task, report)
    notes = [f"{one.name}: {one.note}" for one in task.contenders if one.note and one.name in present]
    return "\n\n".join(part for part in [*parts, "\n".join(notes)] if part)


def number(value):
    """Four significant digits, with thousands apart: 1234567 is 1,235,000 and 0.123456 is 0.1235."""
    if value is None:
        return "-"
    rounded = float(f"{value:.4g}")
    return f"{rounded:,.0f}" if abs(rounded) >= 1000 else f"{rounded:.4g}"


def _figure_rows(task, report):
    names = _present(task, report)
    found = {(r["contender"], r["case"]): r["value"] for r in report["results"]}
    rows = [[case.name, case.unit, *(number(found.get((name, case.name))) for name in names)] for case in task.cases]
    return [["case", "unit", *names], *rows]


def _ratio_rows(task, report):
    ours, *others = [contender.name for contender in task.contenders]
    names = [name for name in others if any(name in of_case for of_case in report["ratios"].values())]
    rows = [[case, *(number(of_case.get(name)) for name in names)] for case, of_case in report["ratios"].items() if of_case]
    return [[f"{ours} is better by", *names], *rows] if rows else []


def _target_rows(report):
    rows = [
        [t["name"], number(t["goal"]), number(t["value"]), "met" if t["met"] else "not met", t["case"] or "not measured"]
        for t in report["targets"]
    ]
    return [["target", "goal", "value", "", "worst case"], *rows]


def _bounds_rows(task, report):
    """The upper end of each answer, and how far below it the lower end is."""
    found = {(entry["contender"], entry["case"]): entry for entry in report.get("bounds", ())}
    names = [one.name for one in task.contenders if any(one.name == name for name, _ in found)]
    exact = {case: entry["exact"] for (_, case), entry in found.items()}
    rows = [
        [case.name, _short(exact[case.name]), *(_ends(found.get((name, case.name))) for name in names)]
        for case in task.cases
        if case.name in exact
    ]
    return [["upper end (gap to the lower)", "exact", *names], *rows] if rows else []


def _ends(entry):
    if entry is None:
        return "-"
    if entry["upper"] is None:
        return entry["verdict"]
    gap = "no lower end" if entry["gap"] is None else f"{entry['gap']:.1e}"
    return f"{_short(entry['upper'])} ({gap}{', ' + entry['verdict'] if entry['verdict'] else ''})"


def _short(value):
    return "-" if value is None else f"{float(value):.8g}"


def _error_rows(task, report):
    found = {(e["contender"], e["case"]): e for e in report.get("errors", ())}
    names = [one.name for one in task.contenders if any(one.name == name for name, _ in found)]
    rows = [[q.name, *(_error(found.get((name, q.name))) for name in names)] for q in task.questions]
    return [["relative excess over the exact value", *names], *rows] if names else []


def _error(entry):
    if entry is None:
        return "-"
    excess = "" if entry["relative_excess"] is None else f"{entry['relative_excess']:+.1e} "
    return f"{excess}{entry['verdict'] or ''}".strip()


def _present(task, report):
    seen = {result["contender"] for result in report["results"]}
    return [contender.name for contender in task.contenders if contender.name in seen]


def _grid(rows):
    """Columns aligned: words to the left, figures to the right."""
    if not rows:
        return ""
    widths = [max(map(len, column)) for column in zip(*rows)]
    right = [all(_is_figure(cell) for cell in column[1:]) for column in zip(*rows)]
    return "\n".join(
        "  ".join(cell.rjust(w) if r else cell.ljust(w) for cell, w, r in zip(row, widths, right)).rstrip() for row in rows
    )


def _is_figure(cell):
    return cell == "-" or cell.replace(",", "").replace(".", "").replace("e-", "").isdigit()

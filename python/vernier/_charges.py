"""What a ledger took for a release, as its record states it."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from vernier._show import at_most


def charge_of(stated: dict[str, Any]) -> dict[str, Any]:
    """Of a record."""
    charge = stated["certificate"]["charge"]
    opening = charge.get("opening")
    return {**_amounts(charge), "manner": charge["manner"], "unit": stated["unit"],
            "opening": None if opening is None else {**opening, **_amounts(opening)}}


def _amounts(stated: dict[str, str]) -> dict[str, float]:
    """Exact fractions, as they are written, rounded up."""
    return {name: _not_below(Fraction(stated[name])) for name in ("epsilon", "delta")}


def _not_below(exact: Fraction) -> float:
    nearest = float(exact)
    return nearest if nearest >= exact else math.nextafter(nearest, math.inf)


def took_text(charge: dict[str, Any]) -> str:
    """As a sentence tells it."""
    opening = charge["opening"]
    took = (f"the ledger took epsilon {at_most(charge['epsilon'])} and delta {at_most(charge['delta'])} "
            f"for each {charge['unit']}")
    if opening is None:
        return took
    return (f"{took}, epsilon {at_most(opening['epsilon'])} and delta {at_most(opening['delta'])} of it once, to open the "
            f"conversion: room for {opening['room_with_conversion']} such studies in place of {opening['room_by_totals']}")

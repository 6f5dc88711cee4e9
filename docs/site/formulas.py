"""Formulas as the pages write them, in plain text, as TeX and as HTML. The pages stay readable without a site:

    δ(ε) = Φ(a - b) - e^ε Φ(-a - b),      a = Δ/2σ,   b = εσ/Δ

An indented block of a page of theory that reads as a formula is set by KaTeX; within a sentence powers and indices are
raised and lowered. Whatever is not understood stays as it is written.
"""
import re
import unicodedata

FUNCTIONS = {"ln", "log", "exp", "min", "max", "inf", "sup", "sinh", "cosh", "tanh", "cos", "sin", "arg", "deg", "lim"}
NAMED = {"erf", "erfc", "erfi", "floor", "ceil", "Var", "Poisson", "Binomial", "sign", "clamp", "round", "expm1", "log1p", "med", "sinc", "rem", "SD"}
SYMBOLS = {
    "<=": r"\le ", ">=": r"\ge ", "!=": r"\ne ", ":=": r"\mathrel{:=}", "->": r"\to ", "=>": r"\Rightarrow ", "<<": r"\ll ", ">>": r"\gg ",
    "Σ": r"\sum ", "Π": r"\prod ", "∫": r"\int ", "∞": r"\infty ", "·": r"\cdot ", "×": r"\times ", "±": r"\pm ", "∂": r"\partial ",
    "∈": r"\in ", "⊂": r"\subset ", "∪": r"\cup ", "∩": r"\cap ", "≈": r"\approx ", "≤": r"\le ", "≥": r"\ge ", "≠": r"\ne ", "→": r"\to ",
    "⌈": r"\lceil ", "⌉": r"\rceil ", "⌊": r"\lfloor ", "⌋": r"\rfloor ", "…": r"\dots ", "∘": r"\circ ", "∝": r"\propto ", "~": r"\sim ",
    "%": r"\%", "#": r"\#", "&": r"\&", "$": r"\$", "−": "-", "*": r"\ast ", "|": r"\mid ", "—": r"\text{—}", "∧": r"\wedge ", "∨": r"\vee ",
}
RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ", "0123456789+-n"))
LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋ᵢⱼ", "0123456789+-ij"))
CLOSING = {"(": ")", "[": "]", "{": "}"}

TOKEN = re.compile(
    r"(?P<gap>\s{2,})|(?P<space>\s)|(?P<power>\d+(?:\.\d+)?e-?\d+)|(?P<number>\d+(?:[.,]\d+)*)|(?P<word>[A-Za-z][A-Za-z0-9]*)"
    r"|(?P<dots>\.\.\.)|(?P<sign><=|>=|!=|:=|->|=>|<<|>>)|(?P<other>.)", re.DOTALL)


def closing_at(text, start):
    """The place of what closes the bracket at `start`, or none."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if depth == 0:
            return at if text[at] == CLOSING[text[start]] else None
    return None


def argument(text, start):
    """What a power, an index or a root at `start` is of, and where it ends: a bracket, or a sign and one word."""
    if start < len(text) and text[start] in "({":
        end = closing_at(text, start)
        if end is not None:
            return text[start + 1:end], end + 1
    found = re.match(r"[-+]?(?:\d+(?:\.\d+)?|[A-Za-z]{1,3}(?![A-Za-z])|[^\W\d_]|[*∞])'*", text[start:])
    return (found.group(), start + found.end()) if found else ("", start)


def word_tex(word):
    if word in FUNCTIONS:
        return f"\\{word} "
    if word in NAMED:
        return f"\\operatorname{{{word}}}"
    if len(word) == 1 or re.fullmatch(r"[A-Za-z]\d+", word) or re.fullmatch(r"d[A-Za-z]", word):
        return word
    return None if len(word) > 2 or word.lower() in ("of", "at", "in", "to", "is", "if", "or", "by", "no", "as", "on", "so") else word


def letter_tex(letter):
    """A letter with its accent, such as Ỹ."""
    parts = unicodedata.normalize("NFD", letter)
    accents = {"\u0303": "tilde", "\u0302": "hat", "\u0304": "bar", "\u0307": "dot"}
    if len(parts) == 2 and parts[1] in accents:
        return f"\\{accents[parts[1]]}{{{parts[0]}}}"
    return letter


def tex(text):
    """The formula as TeX."""
    made, at = [], 0
    while at < len(text):
        found = TOKEN.match(text, at)
        kind, token = found.lastgroup, found.group()
        follows = found.end()
        if text.startswith("**", at):
            end = text.find("**", at + 2)
            made.append(rf"\textbf{{{text[at + 2:end]}}}" if end > 0 else "")
            at = end + 2 if end > 0 else at + 2
        elif token == "abs" and text[follows:follows + 1] == "(" and (end := closing_at(text, follows)):
            made.append(rf"\lvert {tex(text[follows + 1:end])} \rvert ")
            at = end + 1
        elif token in ("sqrt", "√"):
            under, at = argument(text, follows)
            made.append(rf"\sqrt{{{tex(under)}}}")
        elif token in "^_" and kind == "other":
            what, at = argument(text, follows)
            made.append(f"{token}{{{tex(what)}}}")
        elif token in RAISED or token in LOWERED:
            table = RAISED if token in RAISED else LOWERED
            run = re.match(f"[{''.join(table)}]+", text[at:]).group()
            made.append(("^" if table is RAISED else "_") + "{" + "".join(table[one] for one in run) + "}")
            at += len(run)
        elif kind == "power":
            head, tail = token.split("e")
            made.append(("" if head == "1" else rf"{head} \cdot ") + f"10^{{{tail}}}")
            at = follows
        elif kind == "word" and word_tex(token) is None:
            words = re.match(r"[A-Za-z0-9]+(?:[ -](?!(?:ln|exp|min|max|abs|sqrt)\b)[A-Za-z]{2,})*", text[at:]).group()
            before = " " if at and text[at - 1] == " " else ""
            after = " " if text[at + len(words):at + len(words) + 1] == " " else ""
            made.append(rf"\text{{{before}{words}{after}}}")
            at += len(words)
        else:
            made.append(r"\quad " if kind == "gap" else " " if kind == "space" else word_tex(token) if kind == "word" else
                        r"\dots " if kind == "dots" else token.replace(",", "{,}") if kind == "number" else
                        "\\{" if token == "{" else "\\}" if token == "}" else SYMBOLS.get(token, letter_tex(token)))
            at = follows
    return "".join(made)


def is_formula(block):
    """Whether an indented block reads as a formula: signs of relation, and more than words."""
    if re.search(r"[`─│└┘┐┌▶▸\"\\]|\w\(\)|SELECT|::|//|--|==", block):
        return False
    words = re.findall(r"[A-Za-z]{4,}", block)
    signs = re.findall(r"<=|>=|[=<>Σ∫Π√^²]", block)
    return len(signs) >= 1 and sum(map(len, words)) < 0.45 * len(re.sub(r"\s", "", block))


def displayed(block):
    """An indented block as one TeX formula, its columns one below the other where there are several lines."""
    lines = [line.strip() for line in block.strip("\n").split("\n") if line.strip()]
    if len(lines) == 1:
        return tex(re.sub(r"\s{2,}", "  ", lines[0]))
    rows = [[tex(cell) for cell in re.split(r"\s{2,}", line)] for line in lines]
    width = max(map(len, rows))
    return "\\begin{array}{" + "l" * width + "}" + r" \\[4pt] ".join(" & ".join(row) for row in rows) + r"\end{array}"


POWER = re.compile(r"([\w)\]²³Σ∫Π])\^(\{[^{}]*\}|\([^()]*\)|-?\d+|[A-Za-zα-ω](?![A-Za-z]))")
INDEX = re.compile(r"(?<=[\wΣ∫Π])_(\{[^{}]*\})|(?<![\w.])([A-Za-zα-ωΑ-Ω])_([A-Za-z0-9](?![\w(]))")
ABS = re.compile(r"\babs\(([^()]*)\)")


def inner(text):
    return text[1:-1] if text[:1] in "({" else text


def sentence(text):
    """Powers, indices and absolute values within a sentence, as HTML."""
    text = text.replace(" <= ", " ≤ ").replace(" >= ", " ≥ ")
    before = None
    while before != text:
        before = text
        text = ABS.sub(r"&#124;\1&#124;", text)
    text = POWER.sub(lambda found: f"{found[1]}<sup>{inner(found[2]).replace('-', '−')}</sup>", text)
    return INDEX.sub(lambda found: f"<sub>{inner(found[1])}</sub>" if found[1] else f"{found[2]}<sub>{found[3]}</sub>", text)

"""Puts source files together into batches, each of which is compiled as one file: a cold build then reads the headers that all
files include some seventy times in place of four hundred.

Usage: batches.py FOLDER MOST INCLUDE-FOLDER... -- FILE...
Writes FOLDER/NUMBER.cpp, each with at most MOST files, and prints their paths. What was put together stays together, so that
a change or a new file compiles little.

Files share a batch only where that changes the meaning of none (docs/decisions/0025-batches.md):
- What a file keeps to itself (in an unnamed namespace, by `static`, `using` or `#define`) has a name that no other one says where
  it would be found, unless both mean the same `using`.
- A name that the headers of only one of them declare is not said by the other where it would be found, and none is defined twice.
- No file has `using enum` outside of functions, which would give all names of an enumeration to the others.
- All headers come first.
"""
import functools
import itertools
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))
from house import blanked  # noqa: E402

ENUMERATORS = re.compile(r"^using enum\b", re.MULTILINE)
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*$", re.MULTILINE)
NAMESPACE = re.compile(r"\bnamespace(\s+[\w:]+)?\s*\{")
WORD = re.compile(r"(?:(?<=->)|(?<=\.)|(?<=::))\s*\w+|([A-Za-z_]\w*)")  # members and qualified names are found elsewhere
TYPE = re.compile(r"(?:struct|class|enum(?:\s+(?:class|struct))?|union|concept)\s+(\w+)")
TEMPLATE = re.compile(r"^template\b\s*(?:requires\b.*?(?=\b(?:struct|class)\b))?", re.DOTALL)
USING = re.compile(r"(?:using|namespace)\s+(?:namespace\s+[\w:]+|(\w+)\s*=.*|[\w:]*?(\w+))$", re.DOTALL)
ALIAS = re.compile(r"using\s+(\w+)\s*=")
OTHER = re.compile(r"(?!static_assert\b|[A-Z_]+\()[^={(]*?\b(\w+)\s*(?:[(={\[]|$)")  # TEST(...) declares nothing that is said
BRACES = re.compile(r"[{};]")

include_folders = []


@functools.cache
def text(path):
    return path.read_text()


@functools.cache
def headers(path):
    """All headers of the project that the file includes, whichever way."""
    found = set()
    for name in INCLUDE.findall(text(path)):
        places = (folder / name for folder in (path.parent, *include_folders))
        header = next((place.resolve() for place in places if place.is_file()), None)
        if header and header not in found:
            found |= {header} | headers(header)
    return frozenset(found)


def closing(code, begin):
    """Where the brace that opens at begin closes."""
    depth = 0
    for brace in BRACES.finditer(code, begin):
        depth += {"{": 1, "}": -1, ";": 0}[brace.group()]
        if depth == 0:
            return brace.start()
    raise ValueError("a brace is not closed")


@functools.cache
def scopes(path):
    """(namespace, whether an unnamed one is in it, the code directly in it) of every namespace of the file."""
    found = []

    def walk(code, namespace, unnamed):
        direct, begin = [], 0
        for opened in iter(lambda: NAMESPACE.search(code, begin), None):
            end = closing(code, opened.end() - 1)
            direct.append(code[begin : opened.start()])
            name = (opened.group(1) or "").strip()
            walk(code[opened.end() : end], namespace + tuple(filter(None, name.split("::"))), unnamed or not name)
            begin = end + 1
        found.append((namespace, unnamed, "".join(direct) + code[begin:]))

    walk(DIRECTIVE.sub("", blanked(text(path))), (), False)
    return found


def statements(code):
    """The statements of a namespace, without what is in braces."""
    depth, begin, kept = 0, 0, []
    for mark in BRACES.finditer(code):
        if mark.group() == "{":
            if depth == 0:
                kept.append(code[begin : mark.end()])
            depth += 1
            continue
        depth -= mark.group() == "}"
        if depth == 0:
            yield "".join(kept) if mark.group() == "}" else "".join(kept) + code[begin : mark.start()]
            kept, begin = [], mark.end()


def without_angles(code):
    while (shorter := re.sub(r"<[^<>()]*>|\[\[.*?\]\]", " ", code)) != code:
        code = shorter
    return code


def declared(statement):
    """(name, what `using` it stands for or None), or None."""
    statement = without_angles(statement).strip()
    if using := USING.match(statement):
        name = using.group(1) or using.group(2)
        return name and (name, " ".join(statement.split()))
    plain = TEMPLATE.sub("", statement)
    named = TYPE.match(plain) or (None if "operator" in plain else OTHER.match(plain))
    return named and (named.group(1), None)


def declarations(path, wanted=lambda unnamed, statement: True):
    for namespace, unnamed, code in scopes(path):
        for statement in statements(code):
            if wanted(unnamed, statement) and (found := declared(statement)):
                yield (namespace, found[0]), found[1]


@functools.cache
def own(path):
    """{(namespace, name): its `using` or None} of what a source file keeps to itself."""
    kept = dict(declarations(path, lambda unnamed, statement: unnamed or not re.match(r"[^{=]*\)", statement, re.DOTALL)
                             or re.match(r"\s*static\b", statement)))
    return kept | {((), name): None for name in re.findall(r"^[ \t]*#define\s+(\w+)", text(path), re.MULTILINE)}


@functools.cache
def offered(path):
    """(namespace, name) of all that the headers of a file declare, and of all namespaces."""
    return frozenset().union(opened_in(path), *(declared_in(header) | opened_in(header) for header in headers(path)))


@functools.cache
def declared_in(header):
    return frozenset(name for name, _ in declarations(header))


@functools.cache
def opened_in(path):
    return frozenset((space[:depth], space[depth]) for space, _, _ in scopes(path) for depth in range(len(space)))


@functools.cache
def types(path):
    """{(namespace, name): where it is defined, or what it stands for} of the types and aliases in the headers of a file."""
    found = {}
    for header in sorted(headers(path)):
        for namespace, _, code in scopes(header):
            for statement in statements(code):
                plain = TEMPLATE.sub("", without_angles(statement).strip())
                if "{" in statement and TYPE.match(plain):
                    found[namespace, declared(statement)[0]] = header
                elif alias := ALIAS.match(plain):
                    found[namespace, alias.group(1)] = " ".join(statement.split())
    return found


@functools.cache
def looked_up(path):
    """(namespace, word) for every word of the file and every namespace in which it is looked up."""
    return frozenset(
        (namespace[:depth], word)
        for namespace, _, code in scopes(path)
        for word in set(filter(None, WORD.findall(code)))
        for depth in range(len(namespace) + 1)
    )


def disturbs(one, other):
    """Whether what the one file keeps to itself or includes may mean something else to the other one."""
    met = own(one).keys() & looked_up(other)
    return (any(own(one)[name] is None or own(other).get(name) != own(one)[name] for name in met)
            or not looked_up(other).isdisjoint(offered(one) - offered(other)))


@functools.cache
def may_meet(one, other):
    both = types(one).keys() & types(other).keys()
    return (not ENUMERATORS.search(text(one) + "\n" + text(other)) and not disturbs(one, other) and not disturbs(other, one)
            and all(types(one)[name] == types(other)[name] for name in both))


def put_together(files, most, batches):
    """The files in batches, from those that there were."""
    left = [path for path in files if not any(path in batch for batch in batches)]
    kept = []
    for batch in batches:
        kept.append([])
        for path in filter(files.__contains__, batch):
            (kept[-1] if all(may_meet(path, other) for other in kept[-1]) else left).append(path)
    for path in left:
        place = (batch for batch in kept if len(batch) < most and all(may_meet(path, other) for other in batch))
        batch = next(place, None)
        if batch is None:
            kept.append(batch := [])
        batch.append(path)
    return kept


def spelled(batch):
    names = dict.fromkeys(itertools.chain.from_iterable(INCLUDE.findall(text(path)) for path in batch))
    includes = [f'#include "{name}"' for name in names if len(batch) > 1]
    return "".join(f"{line}\n" for line in [*includes, *(f'#include "{path}"' for path in batch)])


def main():
    divide = sys.argv.index("--")
    folder, most = Path(sys.argv[1]), int(sys.argv[2])
    include_folders.extend(map(Path, sys.argv[3:divide]))
    files = [Path(name) for name in sys.argv[divide + 1 :]]
    folder.mkdir(parents=True, exist_ok=True)
    before = sorted(folder.glob("*.cpp"), key=lambda path: int(path.stem))
    batches = [[Path(name) for name in INCLUDE.findall(path.read_text()) if Path(name).is_absolute()] for path in before]
    for number, batch in enumerate(put_together(files, most, batches)):
        path = folder / f"{number}.cpp"
        if batch and (not path.exists() or path.read_text() != spelled(batch)):
            path.write_text(spelled(batch))
        if batch:
            print(path)


main()

"""The pages of the project as mkdocs takes them: all that lie in docs/ and beside the code, in the places where they lie,
so that links stay as they are written; three doors; formulas set; and the settings with the order of all pages.

Usage: stage.py ROOT STAGE SITE NODE_MODULES        (the folder with the npm packages)
"""
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "tools")]
import formulas  # noqa: E402
from house import files  # noqa: E402

DOORS = {"For analysts and data stewards": "analysts/index.md",
         "For statisticians and privacy researchers": "statisticians/index.md",
         "For contributors": "contributors/index.md"}
DOORS_PAGE = Path("docs/README.md")
HOME = Path("docs/site/home.md")
LINK = re.compile(r"(!?\[(?:[^\]\[]|\[[^\]]*\])*\])\(((?!https?:|mailto:|#)[^)\s#]+)(#[^)]*)?\)")
FENCE = re.compile(r"^(```.*?^```[^\n]*$)", re.DOTALL | re.MULTILINE)
SHOWN = {".svg", ".png", ".md"}
BLOCK = re.compile(r"(?<=\n\n)((?:    [^\n]*\n|\n(?=    ))+)(?=\n|\Z)")


def is_page(inside):
    return inside != DOORS_PAGE and ( inside.suffix == ".md" and inside.parts[0] in ("docs", "src", "apps", "python", "r", "bench", "tests") or str(inside) in (
        "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"))


def staged(inside):
    """Where a file of the project comes to lie: code as text, which a browser shows."""
    if str(inside) == "README.md":
        return Path("overview.md")
    if inside in (HOME, DOORS_PAGE):
        return Path("index.md")
    return inside if inside.suffix in SHOWN else inside.with_name(inside.name + ".txt")


class Stage:
    def __init__(self, root, place):
        self.root, self.place = root, place
        self.pages = [path.relative_to(root) for path in files(root) if is_page(path.relative_to(root))]
        self.formulas = []

    def target(self, page, link):
        """The file of the project that a link of a page means: of a folder its README."""
        found = Path(os.path.normpath(page.parent / link))
        if (self.root / found).is_dir() and (self.root / found / "README.md").exists():
            return found / "README.md"
        return found

    def linked(self, page, found):
        label, link, anchor = found[1], found[2], found[3] or ""
        target = self.target(page, link)
        if not (self.root / target).is_file():
            return label[1:-1] if not label.startswith("!") else found[0]  # a folder without a page
        if target.suffix != ".md":
            self.copy(target)
        return f"{label}({os.path.relpath(staged(target), staged(page).parent)}{anchor})"

    def copy(self, inside):
        place = self.place / staged(inside)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(self.root / inside, place)

    def write(self, name, text):
        place = self.place / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)

    def prose(self, page, text):
        """What stands outside of code: links, and formulas within sentences."""
        text = LINK.sub(lambda found: self.linked(page, found), text)
        return "".join(part if part.startswith("`") or part.startswith("](") else formulas.sentence(part)
                       for part in re.split(r"(`+[^`]*`+|\]\([^)]*\))", text))

    def formula(self, found):
        if not formulas.is_formula(found[0]):
            return found[0]
        self.formulas.append((found[0], formulas.displayed(found[0])))
        return f"@formula {len(self.formulas) - 1}@\n"

    def page(self, page):
        text = (self.root / page).read_text()
        is_theory = page.parts[0] in ("src", "apps") or page.parts[:2] == ("docs", "theory")
        parts = FENCE.split(text)
        for i in range(0, len(parts), 2):
            if is_theory:
                parts[i] = BLOCK.sub(self.formula, parts[i])
            blocks = re.split(r"(?m)(^    [^\n]*\n)", parts[i]) if is_theory else [parts[i]]
            parts[i] = "".join(part if part.startswith("    ") else self.prose(page, part) for part in blocks)
        text = "".join(parts)
        return f"---\nhide: [navigation, toc]\n---\n{text}" if page == HOME else text

    def set_formulas(self, katex):
        """What KaTeX does not take stays a block of text."""
        made = subprocess.run(["node", str(HERE / "render.mjs"), str(katex)], input=json.dumps([one for _, one in self.formulas]),
                              capture_output=True, text=True, check=True)
        return [f'<div class="formula" tabindex="0">{html}</div>' if html else block
                for (block, _), html in zip(self.formulas, json.loads(made.stdout))]

    def links(self, page, text=None):
        """The pages that a page links, in order, each once, by where they come to lie."""
        text = (self.root / page).read_text() if text is None else text
        found = [self.target(page, link) for _, link, _ in LINK.findall(text)]
        return list(dict.fromkeys(staged(one) for one in found if one in self.pages))

    def title(self, inside):
        lines = (self.root / inside).read_text().splitlines()
        return re.sub(r"[`*]", "", next((line.lstrip("# ").strip() for line in lines if line.startswith("#")), inside.stem))


def sections(text, level):
    """(title, text) of each section under headings of this level."""
    parts = re.split(rf"(?m)^{level} (.+)$", text)
    return list(zip(parts[1::2], parts[2::2]))


def room_of(page):
    """The room of src/vernier whose page it is; else its folder."""
    return page.parts[2] if page.parts[:2] == ("src", "vernier") and len(page.parts) > 3 else str(page.parent)


def theory(stage):
    """Groups of theory as its index has them; a page in none of them comes last in the one with most pages of its room."""
    index = Path("docs/theory/README.md")
    ordered, everything = (stage.root / index).read_text().split("## All pages", 1)
    parts = re.split(r"(?m)^([A-Z][^\n\[\]]*)\n(?=- )", ordered)
    groups = {title: stage.links(index, body) for title, body in zip(parts[1::2], parts[2::2])}
    grouped = {page for pages in groups.values() for page in pages}
    rooms = [(title, [room_of(page) for page in pages]) for title, pages in groups.items()]
    for page in stage.links(index, everything):
        if page not in grouped:
            title, like = max(rooms, key=lambda group: group[1].count(room_of(page)))
            groups.setdefault(title if room_of(page) in like and room_of(page) != "docs/theory" else "More", []).append(page)
    return list(groups.items())


class Nav:
    """The order of all pages; each stands in one place."""

    def __init__(self, stage):
        self.seen = {Path("index.md"), Path("overview.md")}
        self.titles = {staged(page): stage.title(page) for page in stage.pages}

    def some(self, pages):
        new = [page for page in pages if page not in self.seen and page in self.titles]
        self.seen.update(new)
        return [{self.titles[page]: str(page)} for page in new]

    def group(self, title, pages):
        entries = self.some(pages)
        return [{title: entries}] if entries else []


def nav_of(stage, doors):
    nav = Nav(stage)
    pages = sorted(map(staged, stage.pages))
    under = lambda *folders: [page for page in pages if str(page).startswith(folders)]  # noqa: E731
    links = {name: stage.links(DOORS_PAGE, text) for name, text in doors.items()}
    guides = stage.links(Path("docs/guide/README.md"))
    of_theory = [page for _, entries in theory(stage) for page in entries]
    first = {page for page in links["analysts/index.md"] if page not in of_theory}
    analysts = ["analysts/index.md", *nav.some(p for p in links["analysts/index.md"] if p in first),
                *nav.group("More of the guide", [p for p in guides if str(p).startswith("docs/guide/")]),
                *nav.some(under("docs/guide/", "docs/notebooks/"))]
    statisticians = ["statisticians/index.md", *nav.some([p for p in links["statisticians/index.md"] if p not in of_theory]), *(
        group for title, entries in theory(stage) for group in nav.group(title, entries))]
    contributors = ["contributors/index.md", *nav.some(links["contributors/index.md"]), *nav.group("Decisions", under("docs/decisions/")),
                    *nav.group("More", pages)]
    return [{"Home": ["index.md", {"Overview": "overview.md"}]}, {"Analysts": analysts}, {"Statisticians": statisticians}, {"Contributors": contributors}]


def main():
    root, place, site, packages = (Path(argument).resolve() for argument in sys.argv[1:5])
    katex = packages / "katex"
    stage = Stage(root, place)
    texts = {page: stage.page(page) for page in stage.pages}
    html = stage.set_formulas(katex)
    for page, text in texts.items():
        stage.write(staged(page), re.sub(r"@formula (\d+)@", lambda found: html[int(found[1])], text))
    doors = {DOORS[title]: text for title, text in sections((root / "docs/README.md").read_text(), "##") if title in DOORS}
    for title, name in DOORS.items():
        text = LINK.sub(lambda found: f"{found[1]}(../{staged(stage.target(DOORS_PAGE, found[2]))}{found[3] or ''})", doors[name])
        stage.write(name, f"# {title}\n{text}")
    shutil.copytree(katex / "dist" / "fonts", place / "katex/fonts", ignore=lambda _, names: [n for n in names if not n.endswith(".woff2")])
    shutil.copyfile(katex / "dist/katex.min.css", place / "katex/katex.min.css")
    shutil.copyfile(packages / "iframe-worker/shim/index.js", place / "iframe-worker.js")
    for name in ("site.css", "favicon.svg"):
        shutil.copyfile(HERE / name, place / name)
    settings = {"INHERIT": str(HERE / "mkdocs.yml"), "docs_dir": str(place), "site_dir": str(site), "nav": nav_of(stage, doors), "hooks": [str(HERE / "hooks.py")]}
    (place.parent / "mkdocs.json").write_text(json.dumps(settings, indent=1, ensure_ascii=False))
    print(f"{len(texts)} pages, {sum('class=' in one for one in html)} formulas of {len(html)}")


if __name__ == "__main__":
    main()

"""What went wrong, as one sentence for a person: which value, which rule, what to do instead."""

from __future__ import annotations


class Error(Exception):
    """Every error of Vernier. Its subclasses say of what kind it is.

    >>> try:
    ...     vn.law("laplace", 0)
    ... except vn.Error as error:
    ...     print(type(error).__name__)
    InvalidError
    """

    __module__ = "vernier"

    kind: str = "invalid"  #: invalid, entropy, exhausted, system, engine or stopped
    subject: str = ""  #: what it is about, where that is known by itself: a parameter, a column, a table
    problem: str = ""  #: what is wrong with it
    advice: str = ""  #: what to do instead
    place: tuple[str, int, int] | None = None  #: file, line and column
    details: tuple[str, ...] = ()  #: lines that show it, such as a statement and a caret below
    others: tuple[Error, ...] = ()  #: what else is wrong with the same study or catalog

    def __init__(self, sentence: str = "") -> None:
        super().__init__(sentence)
        self.problem = sentence  # of errors of the core, which come in parts, it is replaced by its part


class InvalidError(Error, ValueError):
    """A value breaks a rule; the sentence says which value and which rule.

    >>> vn.law("gaussian", -1)
    Traceback (most recent call last):
    vernier.InvalidError: the scale must be a positive number between 1e-100 and 1e+100, but it is -1
    """

    __module__ = "vernier"


class MissingError(InvalidError, KeyError):
    """There is nothing of that name; the sentence says which names there are. It is a KeyError.

    >>> {"a": 1}.get("b"), issubclass(vn.MissingError, KeyError), issubclass(vn.MissingError, vn.InvalidError)
    (None, True, True)
    """

    __module__ = "vernier"

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""  # a KeyError would show it in quotes


class NotOneError(InvalidError, AttributeError):
    """There are several numbers, or none, where one was asked for. It is an AttributeError, as of what has no such value.

    >>> issubclass(vn.NotOneError, AttributeError), issubclass(vn.NotOneError, vn.InvalidError)
    (True, True)
    """

    __module__ = "vernier"


class EntropyError(Error):
    """The operating system gave no randomness: there is no noise, only this error.

    No value that was given is to blame:

    >>> issubclass(vn.EntropyError, vn.Error), issubclass(vn.EntropyError, ValueError)
    (True, False)
    """

    __module__ = "vernier"


class ExhaustedError(Error, ArithmeticError):
    """There is not enough: of a budget, or of the range or precision that a certified answer would need.

    >>> import tempfile
    >>> table = vn.Table({"age": vn.Column("integer", bounds=(0, 100))}, unit="row", data={"age": [31, 47, 58]})
    >>> catalog = vn.Catalog(vn.Budget(epsilon=1), {"people": table}, folder=tempfile.mkdtemp())
    >>> study = vn.Study(catalog, [vn.Statistic("people", "SELECT COUNT(*) AS people FROM people")], epsilon=0.75)
    >>> first = vn.release(study)
    >>> vn.release(study, again=True)
    Traceback (most recent call last):
    vernier.ExhaustedError: the study asks for more than is left: ...

    Where a budget is exhausted the error has the numbers:

    >>> try:
    ...     vn.release(study, again=True)
    ... except vn.ExhaustedError as error:
    ...     print(round(error.asked["epsilon"], 6), round(error.left["epsilon"], 6))
    0.75 0.25
    """

    __module__ = "vernier"

    asked: dict[str, float] | None = None  #: what the study would take of the budget, where that is what is exhausted
    left: dict[str, float] | None = None  #: what is left of it, for the analyst where there are shares


class FailedError(Error, RuntimeError):
    """A file, a device or an engine failed.

    >>> issubclass(vn.FileError, vn.FailedError), issubclass(vn.FailedError, RuntimeError)
    (True, True)
    """

    __module__ = "vernier"


class FileError(FailedError, OSError):
    """A file, a ledger or another thing of the system failed. It is an OSError.

    >>> vn.plan("no/such/study.toml")
    Traceback (most recent call last):
    vernier.MissingFileError: the file 'no/such/study.toml' cannot be read: No such file or directory; look whether its name is right
    """

    __module__ = "vernier"

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class MissingFileError(FileError, FileNotFoundError):
    """There is no such file. It is a FileNotFoundError.

    >>> try:
    ...     vn.Catalog.read("no/such/catalog.toml")
    ... except FileNotFoundError as error:
    ...     print(error.problem)
    the file 'no/such/catalog.toml' cannot be read: No such file or directory
    """

    __module__ = "vernier"


_NO_SUCH_FILE = "No such file or directory"


def file_error(sentence: str) -> FileError:
    """Of the class that says whether the file is missing."""
    return MissingFileError(sentence) if _NO_SUCH_FILE in sentence else FileError(sentence)

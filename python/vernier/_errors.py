"""What went wrong, as one sentence for a person: which value, which rule, what to do instead."""


class Error(Exception):
    """Every error of Vernier. Its subclasses say of what kind it is."""

    __module__ = "vernier"


class InvalidError(Error, ValueError):
    """A value breaks a rule; the sentence says which value and which rule."""

    __module__ = "vernier"


class EntropyError(Error):
    """The operating system gave no randomness: there is no noise, only this error."""

    __module__ = "vernier"


class ExhaustedError(Error, ArithmeticError):
    """A certified answer would need more precision or range than there is."""

    __module__ = "vernier"


class FailedError(Error, RuntimeError):
    """A file, a device or an engine failed."""

    __module__ = "vernier"

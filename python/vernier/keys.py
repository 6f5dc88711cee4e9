"""The key by which this installation signs its releases."""

from __future__ import annotations

import json
from typing import Any

from vernier import _core
from vernier._result import Result, copied, made, stated


class Key(Result):
    """The public key of this installation; whoever checks a release asks for it. Made by `vernier.key`.

    >>> import vernier as vn
    >>> key = vn.key()
    >>> len(key.fingerprint), key.pem.splitlines()[0]
    (64, '-----BEGIN PUBLIC KEY-----')
    """

    _maker = "vernier.key()"

    path: str = stated("""Where the secret key lies.

        >>> key.path.endswith("signing.key")
        True
        """)

    fingerprint: str = stated("""SHA-256 of the public key, to compare by telephone.

        >>> len(key.fingerprint)
        64
        """)

    public_key: str = stated("""The public key in hex, as records have it.

        >>> len(key.public_key)
        64
        """)

    pem: str = stated("""The public key as `vernier.verify(release, public_key="office.pub")` takes it in a file.

        >>> key.pem.splitlines()[-1]
        '-----END PUBLIC KEY-----'
        """)

    def to_dict(self) -> dict[str, Any]:
        """All of it, by the words of `vernier key --json`.

        >>> sorted(key.to_dict())
        ['fingerprint', 'path', 'pem', 'public_key']
        """
        return copied(self._stated)

    def __repr__(self) -> str:
        return f"Key(fingerprint={self.fingerprint!r}, path={self.path!r})"


def key() -> Key:
    """The public key of this installation, which signs its releases; it is made at first use.

    >>> import vernier as vn
    >>> vn.key().fingerprint == vn.key().fingerprint
    True
    """
    return made(Key, json.loads(_core.printed(["key", "--json"])))

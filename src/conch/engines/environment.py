"""What the environment that is handed in says about engines: keys, addresses, proxies."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from conch.engines.keys import same_place
from conch.engines.providers import Provider, providers, whole_address
from conch.home.errors import ConchError


class Environment:
    """A person's environment variables, read for engines alone."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables

    def key_variable(self, row: Provider) -> str:
        """The variable that holds this provider's key, "" for none."""
        return next((name for name in row.key_variables if self._value(name)), "")

    def key(self, row: Provider) -> str:
        return self._value(self.key_variable(row))

    def key_for(self, row: Provider, url: str) -> str:
        """The provider's key, where `url` is its own address or the one named in the environment.

        "" for any other address: the key was given for the provider.
        """
        own = {same_place(row.url), same_place(self.address(row))}
        return self.key(row) if same_place(url) in own else ""

    def keys(self) -> set[str]:
        """Every provider's key there is."""
        names = {name for row in providers().values() for name in row.key_variables}
        return {self._value(name) for name in names} - {""}

    def address(self, row: Provider) -> str:
        """The address named for this provider, "" for none or one that can't be used.

        A server's own listening address ("0.0.0.0") is none to connect to.
        """
        for name in row.url_variables:
            given = self._value(name)
            if not given or "0.0.0.0" in given:
                continue
            try:
                return whole_address(given) if row.wire == "openai" else given.rstrip("/")
            except ConchError:
                continue
        return ""

    def proxy(self, url: str) -> str | None:
        """The proxy named for this address, None for none."""
        parts = urlsplit(url)
        host = parts.hostname or ""
        low = {name.lower(): value.strip() for name, value in self._variables.items()}
        for one in low.get("no_proxy", "").split(","):
            one = one.strip().lower().lstrip("*").lstrip(".") or one.strip()
            if one == "*" or (one and (host == one or host.endswith(f".{one}"))):
                return None
        return low.get(f"{parts.scheme}_proxy") or low.get("all_proxy") or None

    def _value(self, name: str) -> str:
        return self._variables.get(name, "").strip() if name else ""

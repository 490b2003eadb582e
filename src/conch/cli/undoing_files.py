"""`/undo files` and `/redo files`: what will change is shown first, then it is asked."""

from __future__ import annotations

from conch.cli.calling import Call
from conch.cli.keys import one_key
from conch.cli.showing import out, plain

_SAID = {
    "put back": "is put back",
    "changed back": "is changed back",
    "removed": "is removed",
    "as it is": "is as it was already",
}


async def restore_files(ask: Call, chat: str, direction: str) -> None:
    """Show, ask and do. Raises ConchError where there is nothing to do."""
    shown = [item async for item in ask("files.preview", {"chat": chat, "direction": direction})]
    since = [item["path"] for item in shown if item["changed_since"]]
    for item in shown:
        mark = " [yellow](changed since)[/]" if item["changed_since"] else ""
        out.print(f"  {plain(item['path'])} [dim]{_SAID[item['what']]}[/]{mark}")
    over = False
    if since:
        out.print("Replace what was changed since, too?  y: all · n: only the others · q: leave")
        key = await one_key("ynq")
        over = key == "y"
        go = key in ("y", "n")
    else:
        out.print(f"{direction.capitalize()} this?  y / n")
        go = await one_key("yn") == "y"
    if not go:
        out.print("[dim]Left as it is.[/]")
        return
    args = {
        "chat": chat,
        "direction": direction,
        "change": shown[0]["change"],
        "over_changes": over,
    }
    async for done in ask("files.restore", args):
        what = "Undone" if direction == "undo" else "Done again"
        out.print(f"[dim]{what}: {done['files']} of {done['of']} files.[/]")

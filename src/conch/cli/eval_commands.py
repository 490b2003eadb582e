"""`conch eval cases` and `conch eval run`: how anyone measures, or adds a language or a case."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from conch.cli.commands import AsJson, app, print_json
from conch.cli.interrupting import run_async

evals = typer.Typer(help="Measure how well Conch reads people.", no_args_is_help=True)
app.add_typer(evals, name="eval")


@evals.command()
def cases(
    kind: Annotated[str, typer.Argument(help="signals, gate, worked, nearby, planted, …")],
    file: Annotated[Path, typer.Argument(help="A file of labelled cases, JSON Lines.")],
    memories: Annotated[
        Path | None, typer.Option(help="For nearby: the file whose memories are stored.")
    ] = None,
    misses: Annotated[bool, typer.Option("--misses", help="Print every miss.")] = False,
    as_json: AsJson = False,
) -> None:
    """Run labelled cases through the product's own functions."""
    from conch.cli.showing import clipped, err, plain
    from conch.evals.case_files import UnreadableCase
    from conch.evals.kinds import KINDS, run_cases
    from conch.words.meaning import load_meaning

    if kind not in KINDS:
        err.print(f"There is no kind “{plain(clipped(kind))}”. There are: {', '.join(KINDS)}")
        sys.exit(2)
    for given in (file, memories):
        if given is not None and not given.exists():
            err.print(f"[red]{plain(str(given))} can't be read: there is no such file.[/]")
            sys.exit(2)
        if given is not None and given.is_dir():
            err.print(f"[red]{plain(str(given))} can't be read: it is a folder.[/]")
            sys.exit(2)
    try:
        report = run_cases(kind, file, memories, load_meaning())
    except UnreadableCase as error:
        err.print(f"[red]{plain(str(error))}[/]")
        sys.exit(2)
    if not report.outcomes:
        err.print(f"[red]{plain(str(file))} holds no cases of this kind.[/]")
        sys.exit(2)
    if as_json:
        print_json(report.as_json())
    else:
        from conch.cli.score_table import show_report

        show_report(report, misses=misses)


@evals.command()
def run(
    name: Annotated[str, typer.Argument(help="learns-correction or learns-nothing")],
    engine: Annotated[str, typer.Option(help="Who answers; the practice engine if none.")] = "",
    as_json: AsJson = False,
) -> None:
    """Run one of the spec's evals on an engine, in a throwaway home."""
    from conch.cli.showing import clipped, err, out, plain
    from conch.cli.trials import run_trial
    from conch.evals.trials import TRIALS

    if name not in TRIALS:
        err.print(f"There is no eval “{plain(clipped(name))}”. There are: {', '.join(TRIALS)}")
        sys.exit(2)
    trial = run_async(run_trial(name, engine))
    if as_json:
        print_json({"eval": name, "passed": trial.passed, "steps": trial.steps})
    else:
        for step in trial.steps:
            out.print(f"  {plain(step)}")
        out.print("[green]passed[/]" if trial.passed else "[red]not passed[/]")
    sys.exit(0 if trial.passed else 1)

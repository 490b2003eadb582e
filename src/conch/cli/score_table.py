"""The table of scores `conch eval cases` prints."""

from __future__ import annotations

from rich.table import Table

from conch.cli.showing import out, plain
from conch.evals.scoring import Report


def show_report(report: Report, *, misses: bool) -> None:
    """Scores by language and label, then how many came out right, then the misses if wanted."""
    table = Table("language", "label", "support", "precision", "recall", "F1", "interval", box=None)
    for language, scores in report.scores().items():
        for label, score in scores.items():
            table.add_row(
                language,
                plain(label),
                str(score.support),
                f"{score.precision:.3f}",
                f"{score.recall:.3f}",
                f"{score.f1:.3f}",
                f"{score.interval[0]:.3f}–{score.interval[1]:.3f}",
            )
    out.print(table)
    total = len(report.outcomes)
    out.print(f"{report.right} of {total} right")
    if report.asked_meaning is not None:
        out.print(f"vectors asked for {report.asked_meaning:.1%} of them")
    if report.gives_verdicts:
        out.print(f"let through: {sum(one.let_through for one in report.outcomes)}")
        out.print(f"stopped in vain: {sum(one.stopped for one in report.outcomes)}")
    if misses:
        for one in report.outcomes:
            if not one.right:
                want, got = ", ".join(one.want), ", ".join(one.got)
                out.print(f"[dim]{plain(one.id)}[/]  want {plain(want)}, got {plain(got)}")

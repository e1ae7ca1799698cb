"""Games, verdicts and tables of figures as HTML, for notebooks."""

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from cadogan.pictures.board import table, title_of

if TYPE_CHECKING:
    from cadogan.game import Game
    from cadogan.solver.solve import Verdict


def game_html(game: "Game") -> str:
    """Shows a game: its name, its table and its variants."""
    parts = [f"<p><b>{escape(title_of(game))}</b> <code>{escape(game.name)}</code></p>"]
    parts.append(table(game))
    if game.variants:
        rows = [["Variant", "What it changes"]]
        rows += [[variant.name, str(variant.why)] for variant in game.variants]
        count = f"{len(game.variants)} variants" if len(game.variants) > 1 else "1 variant"
        parts.append(f"<details><summary>{count}</summary>{table_html(rows)}</details>")
    return f"<div>{''.join(parts)}</div>"


def verdict_html(verdict: "Verdict") -> str:
    """Shows a verdict: what it says, what it rests on, and its line."""
    parts = [f"<p><b>{escape(str(verdict))}</b></p>"]
    facts = [
        ["Nodes", f"{verdict.nodes:,} of {verdict.budget:,}"],
        ["Strategy", verdict.strategy or "-"],
        ["Seconds", f"{verdict.seconds:.2f}"],
    ]
    facts += [["Proof", verdict.proof]] if verdict.proof else []
    parts.append(table_html(facts, heads=False))
    if verdict.line:
        moves = "".join(f"<li><code>{escape(move.text)}</code></li>" for move in verdict.line)
        count = "1 move" if len(verdict.line) == 1 else f"{len(verdict.line)} moves"
        parts.append(f"<details><summary>{count} to a win</summary><ol>{moves}</ol></details>")
    return f"<div>{''.join(parts)}</div>"


def table_html(rows: Sequence[Sequence[str]], *, heads: bool = True) -> str:
    """Writes a table.

    Args:
        rows: Its rows.
        heads: Whether the first row has the heads of the columns; otherwise the first cell of each
            row is its head.

    >>> table_html([["Game", "Won"], ["golf", "1 < 2"]])
    '<table><tr><th>Game</th><th>Won</th></tr><tr><td>golf</td><td>1 &lt; 2</td></tr></table>'
    """
    written = []
    for number, row in enumerate(rows):
        cells = []
        for place, cell in enumerate(row):
            name = "th" if (heads and number == 0) or (not heads and place == 0) else "td"
            cells.append(f"<{name}>{escape(cell)}</{name}>")
        written.append(f"<tr>{''.join(cells)}</tr>")
    return f"<table>{''.join(written)}</table>"

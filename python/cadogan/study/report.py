"""One page with the results of a study: HTML with everything in it, or Markdown."""

import base64
import contextlib
import html
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from cadogan.study.compare import Contradiction, contradictions, paired
from cadogan.study.errors import StudyError
from cadogan.study.literature import sources, value_of
from cadogan.study.plan import Plan, load_game
from cadogan.study.plots import KINDS, draw
from cadogan.study.statistics import Interval
from cadogan.study.store import Store
from cadogan.study.summary import Maker, Summary, median, summarize

_CAPTIONS: Final = {
    "winnability": "How often each game can be won if all cards are known",
    "ladder": "How often players win who know less",
    "cactus": "How many nodes a decision takes",
    "length": "How long winning lines are",
    "points": "How the points are distributed",
    "progress": "How the intervals narrowed, deal by deal",
}
_STYLE: Final = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem;
       color: #1a1a1a; background: #fff; }
table { border-collapse: collapse; font-size: 0.9rem; display: block; overflow-x: auto; }
th, td { border-bottom: 1px solid #ddd; padding: 0.3rem 0.6rem; text-align: right; }
th:first-child, td:first-child, th:nth-child(2), td:nth-child(2) { text-align: left; }
figure { margin: 2rem 0; } figure svg { max-width: 100%; height: auto; }
.bug { border-left: 4px solid #b00020; padding-left: 1rem; }
"""
METHOD: Final = (
    "Intervals are Wilson's of 95 %. Undecided deals are counted both ways: as lost for the lower "
    "end, as won for the upper end. Deals that an unfinished study has not tried count as "
    "undecided. *Thoughtful* is the solver, which knows all cards. *Fair* knows what a person "
    "knows who forgets nothing. *Greedy* makes the move with the best score, *random* any move. "
    "Budgets are positions searched for each deal. *Nodes* and *moves* are medians, over the "
    "decided deals and over the winning lines. *Seconds* are those of one processor for a thousand "
    "deals."
)
Table = list[list[str]]


def markdown(store: Store, plan: Plan, *, plots: Path | None = None, at: Path | None = None) -> str:
    """Writes the report in Markdown.

    Args:
        store: The store.
        plan: The plan of the study.
        plots: The folder for the plots; without one they are embedded in the text.
        at: Where the report will be, for relative links to the plots.
    """
    summaries = summarize(store, plan)
    parts = [f"# {plan.title}", plan.introduction, *_markdown_faults(store, plan, summaries)]
    parts += ["## Figures", _as_markdown(figures(summaries)), METHOD, *_versions(summaries)]
    if table := points(summaries):
        parts += ["## Points", _as_markdown(table), POINTS]
    if table := _agreement(summaries):
        parts += ["## Published results", _as_markdown(table), *_sources(summaries)]
    if table := _pairs(store, plan):
        parts += ["## How rules change the results", _PAIRS_TEXT, _as_markdown(table)]
    parts.append("## Plots")
    for kind, data in _plots(summaries):
        if plots is None:
            source = "data:image/svg+xml;base64," + base64.b64encode(data).decode()
        else:
            plots.mkdir(parents=True, exist_ok=True)
            (plots / f"{kind}.svg").write_bytes(data)
            source = _way(at, plots / f"{kind}.svg")
        parts.append(f"![{_CAPTIONS[kind]}]({source})")
    parts.append(plan.closing)
    paragraphs = "\n\n".join(part for part in parts if part).split("\n\n")
    return "\n\n".join(map(_wrapped, paragraphs)) + "\n"


def _wrapped(paragraph: str) -> str:
    """A paragraph of Markdown in lines of at most 118 columns; other blocks as they are."""
    if paragraph.lstrip().startswith(("|", "!", "#", ">", "-")):
        return paragraph
    return textwrap.fill(paragraph, 118, break_long_words=False, break_on_hyphens=False)


def page(store: Store, plan: Plan) -> str:
    """Writes the report as a self-contained page of HTML."""
    summaries = summarize(store, plan)
    body = [f"<h1>{html.escape(plan.title)}</h1>", *_paragraphs(plan.introduction)]
    faults = [f"A bug: {each}" for each in contradictions(store, plan)] + list(_faulty(summaries))
    body += [f'<p class="bug">{html.escape(fault)}</p>' for fault in faults]
    body += ["<h2>Figures</h2>", _as_html(figures(summaries))]
    body += [*_paragraphs(METHOD), *_paragraphs("\n\n".join(_versions(summaries)))]
    if table := points(summaries):
        body += ["<h2>Points</h2>", _as_html(table), *_paragraphs(POINTS)]
    if table := _agreement(summaries):
        body += ["<h2>Published results</h2>", _as_html(table)]
        body += [line for source in _sources(summaries) for line in _paragraphs(source)]
    if table := _pairs(store, plan):
        body += ["<h2>How rules change the results</h2>", *_paragraphs(_PAIRS_TEXT)]
        body.append(_as_html(table))
    body.append("<h2>Plots</h2>")
    for kind, data in _plots(summaries):
        picture = data.decode()
        picture = picture[picture.index("<svg") :]
        caption = html.escape(_CAPTIONS[kind])
        body.append(f"<figure>{picture}<figcaption>{caption}</figcaption></figure>")
    body += _paragraphs(plan.closing)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width">\n'
        f"<title>{html.escape(plan.title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(body)
        + "\n</body>\n</html>\n"
    )


def percent(share: float) -> str:
    """Formats a share in per cent, with enough digits not to be rounded to 0 or 100.

    >>> percent(0.5), percent(0.99998), percent(1.0)
    ('50.0', '99.998', '100.0')
    """
    value = 100 * share
    near = min(value, 100 - value)
    digits = 1 if near >= 0.1 or not 0 < value < 100 else 3 if near >= 0.001 else 5
    return f"{value:.{digits}f}"


def seconds_of(seconds: float) -> str:
    """Formats seconds with two significant digits, or as a whole number from ten on.

    >>> seconds_of(0.1234), seconds_of(1234.5)
    ('0.12', '1,234')
    """
    return f"{seconds:,.0f}" if seconds >= 10 else f"{seconds:.2g}"


def bounds(interval: Interval) -> str:
    """Formats an interval in per cent.

    >>> bounds(Interval(0.404, 0.694))
    '40.4 to 69.4'
    """
    return f"{percent(interval.low)} to {percent(interval.high)}"


def share_of(summary: Summary) -> str:
    """Formats the share of deals won, in per cent; as a range if some are undecided."""
    tally = summary.tally
    if not tally.deals:
        return "-"
    low, high = percent(tally.won / tally.deals), percent(1 - tally.lost / tally.deals)
    return low if low == high else f"{low} to {high}"


def figures(summaries: Sequence[Summary]) -> Table:
    """The figures of some studies in words, a row each below the row of heads."""
    rows = [
        ["Game", "Player", "Deals", "Won, %", "95 % interval", "Undecided, %", "Budget",
         "Nodes", "Moves", "Seconds"]
    ]  # fmt: skip
    for each in summaries:
        tally, study = each.tally, each.study
        rows.append(
            [
                study.game,
                str(study.player),
                f"{tally.deals:,}" + ("" if each.is_finished else f" of {each.size:,}"),
                share_of(each),
                bounds(each.interval) if tally.deals else "-",
                percent(each.undecided_share) if study.player.is_thoughtful else "-",
                f"{study.recorded_budgets[-1]:,}" if study.player.is_thoughtful else "-",
                f"{median(each.decided_nodes):,}" if each.decided_nodes else "-",
                f"{median(each.lengths):,}" if each.lengths else "-",
                "-" if each.seconds is None else seconds_of(each.seconds),
            ]
        )
    return rows


def points(summaries: Sequence[Summary]) -> Table:
    """The points of scored games, a row each below the row of heads; empty if there are none."""
    heads = ["Game", "Player", "Deals", "Mean", "95 % interval", "5 %", "25 %", "Median"]
    rows = [[*heads, "75 %", "95 %", "Fewest", "Most"]]
    for each in summaries:
        scores = each.scores
        if not scores.points:
            continue
        interval = scores.interval()
        quantiles = (scores.quantile(share) for share in (0.05, 0.25, 0.5, 0.75, 0.95))
        rows.append(
            [
                *(each.study.game, str(each.study.player), f"{len(scores.points):,}"),
                f"{scores.mean:.1f}",
                "-" if interval is None else f"{interval[0]:.1f} to {interval[1]:.1f}",
                *(f"{quantile:g}" for quantile in quantiles),
                *(str(scores.points[0]), str(scores.points[-1])),
            ]
        )
    return rows if len(rows) > 1 else []


POINTS: Final = (
    "The interval is for the mean, by Student's distribution. The other columns show how the "
    "points of single deals are distributed: 5 % of them have at most so many points, and so on."
)


def _agreement(summaries: Sequence[Summary]) -> Table:
    rows = [["Game", "Published, %", "Ours, 95 % interval", "Inside", "Where"]]
    for each in summaries:
        value = value_of(each.study.game)
        if value is None or not each.study.player.is_thoughtful or not each.tally.deals:
            continue
        interval = each.interval
        if value.share / 100 in interval:
            inside = "yes"
        else:
            inside = "within the errors of both" if interval.meets(value.interval) else "**no**"
        rows.append([each.study.game, str(value), bounds(interval), inside, value.place])
    return rows if len(rows) > 1 else []


def _sources(summaries: Sequence[Summary]) -> list[str]:
    values = [value_of(each.study.game) for each in summaries]
    named = {value.source for value in values if value is not None}
    return [text for name, text in sources().items() if name in named]


_PAIRS_TEXT: Final = (
    "Each row compares two sets of rules on the same deals. A deal that is won *only* by the "
    "*stricter* rules would be a bug. The last column is McNemar's exact test on the deals decided "
    "by both: how likely such a difference is by chance alone."
)


def _pairs(store: Store, plan: Plan) -> Table:
    rows = [["Stricter", "Looser", "Deals", "Only looser", "Only stricter", "p"]]
    for each in plan.looser:
        try:
            pair = paired(store, each.strict, each.loose)
        except StudyError:
            continue
        rows.append(
            [each.strict, each.loose, f"{pair.deals:,}", f"{pair.second_only:,}",
             f"{pair.first_only:,}", f"{pair.p_value():.2g}"]
        )  # fmt: skip
    return rows if len(rows) > 1 else []


def _versions(summaries: Sequence[Summary]) -> list[str]:
    spans = sorted({str(each.study.span) for each in summaries})
    digests = sorted({(s.study.game, load_game(s.study.game).digest[:12]) for s in summaries})
    rules = ", ".join(f"{game} {digest}" for game, digest in digests)
    return [
        f"Deals: {', '.join(spans)}.",
        makers_of(summaries),
        f"Rules, by the first digits of their digests: {rules}.",
    ]


def makers_of(summaries: Sequence[Summary]) -> str:
    """Which solvers tried the deals; if several, what those with fewer deals tried."""
    deals = Counter[Maker]()
    for each in summaries:
        deals.update(each.makers)
    makers = [maker for maker, _ in deals.most_common()]
    if len(makers) <= 1:
        return "".join(f"Tried by {maker}." for maker in makers)
    sentences = []
    for maker in makers[1:]:
        shares = [
            f"{each.study.game}, {each.study.player} ({each.makers[maker]:,})"
            for each in summaries
            if each.makers.get(maker)
        ]
        sentences.append(f"{maker} tried {'; '.join(shares)}.")
    return (
        f"**Tried by {len(makers)} solvers**, which agree but decide different numbers of deals: "
        f"{' '.join(sentences)} {makers[0]} tried all others."
    )


def _faulty(summaries: Sequence[Summary]) -> Iterator[str]:
    for each in summaries:
        if each.faulty:
            named = ", ".join(each.faulty[:10])
            yield f"{each.study.game}, {each.study.player}: {len(each.faulty)} deals could not be tried: {named}"  # noqa: E501


def _markdown_faults(store: Store, plan: Plan, summaries: Sequence[Summary]) -> Iterator[str]:
    found: list[Contradiction] = contradictions(store, plan)
    for each in found:
        yield f"> **A bug:** {each}"
    for fault in _faulty(summaries):
        yield f"> {fault}"


def _plots(summaries: Sequence[Summary]) -> Iterator[tuple[str, bytes]]:
    """The plots that have something to show."""
    for kind in KINDS:
        with contextlib.suppress(StudyError):
            yield kind, draw(kind, summaries)


def _way(at: Path | None, to: Path) -> str:
    if at is None:
        return to.as_posix()
    try:
        return to.resolve().relative_to(at.resolve().parent).as_posix()
    except ValueError:
        return to.resolve().as_posix()


def _as_markdown(table: Table) -> str:
    head, *rows = [[cell.replace("|", "\\|") for cell in row] for row in table]
    line = ["---", "---", *["--:"] * (len(head) - 2)]
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, line, *rows))


def _as_html(table: Table) -> str:
    head, *rows = [[html.escape(cell).replace("**", "") for cell in row] for row in table]
    cells = "".join(f"<th>{cell}</th>" for cell in head)
    lines = ["<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows]
    return (
        f"<table><thead><tr>{cells}</tr></thead><tbody>\n" + "\n".join(lines) + "</tbody></table>"
    )


def _paragraphs(text: str) -> list[str]:
    """Converts Markdown to paragraphs of HTML; only headings are supported."""
    parts = []
    for part in filter(None, (part.strip() for part in text.split("\n\n"))):
        plain = html.escape(part).replace("*", "")
        heading = plain.lstrip("#")
        tag = "h2" if heading != plain else "p"
        parts.append(f"<{tag}>{heading.strip()}</{tag}>")
    return parts

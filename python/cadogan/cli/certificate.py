"""``cadogan check-certificate``: whether a certificate proves that a deal cannot be won."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter

from cadogan.cli import output
from cadogan.cli.choose import Json, Source

if TYPE_CHECKING:
    from cadogan import Position, Verdict

MOST: Final = 1_000_000
LARGEST: Final = 100_000_000
CertificateFile = Annotated[Source, Parameter(help="The certificate. - is standard input.")]
Rules = Annotated[
    str | None,
    Parameter(name="--game", help="The game, if the certificate is not to name it."),
]
Positions = Annotated[
    int, Parameter(name="--positions", help="The most positions that it may have.")
]
ShowProgress = Annotated[bool, Parameter(name="--progress", help="Show progress.")]


def check_certificate(
    file: CertificateFile,
    /,
    *,
    game: Rules = None,
    positions: Positions = MOST,
    progress: ShowProgress = False,
    json: Json = False,
) -> int:
    """Check a proof that a deal cannot be won.

    'cadogan solve --certificate FILE' writes such proofs. This command replays them by the rules,
    without the search that found them. The exit status is 1 if the file proves nothing.
    """
    from cadogan.certificates import CertificateError, check
    from cadogan.cli.choose import read

    if not 1 <= positions <= LARGEST:
        raise output.UsageError(
            f"a certificate of {positions} positions is not possible", f"give 1 to {LARGEST}"
        )
    text = read(file)
    live = Steps(progress, "checked")
    try:
        checked = check(text, game=game, max_positions=positions, progress=live)
    except CertificateError as fault:
        live.end()
        if json:
            output.data_json({"ok": False, "place": fault.place, "fault": fault.fault})
        else:
            output.data(f"not proved: {fault}")
        return 1
    finally:
        live.end()
    found = checked.certificate
    if json:
        output.data_json(
            {
                "ok": True,
                "game": found.game,
                "deal": found.deal,
                "deck": found.deck,
                "moves_before": len(found.line),
                "positions": found.positions,
                "arguments": checked.arguments,
                "moves": checked.moves,
                "seconds": round(checked.seconds, 3),
            }
        )
        return 0
    length = len(found.line)
    after = f" after {length} move{'s' * (length > 1)}" if length else ""
    used = ", ".join(
        f"{number:,} by {kind}" for kind, number in checked.arguments.items() if number
    )
    output.data(f"{found.game} {found.deal or found.deck}{after}: unwinnable, proved")
    output.data(f"{found.positions:,} positions: {used}")
    return 0


def write_certificate(position: "Position", verdict: "Verdict", file: Path, progress: bool) -> bool:
    """Writes a certificate of a verdict, or says why there is none.

    Args:
        position: The position.
        verdict: The verdict. Its budget limits the certificate, too.
        file: The file.
        progress: Whether to show progress.

    Returns:
        Whether it was written.
    """
    from cadogan.solver.certificate import NoCertificateError, certify
    from cadogan.storage import replace_file

    if verdict.status != "unwinnable":
        reason = "can be won" if verdict.status == "winnable" else "was not proved to be lost"
        output.note(f"no certificate: the deal {reason}")
        return False
    live = Steps(progress, "expanded")
    try:
        text = certify(position, max_positions=min(verdict.budget, MOST), progress=live)
    except NoCertificateError as fault:
        live.end()
        output.note(f"no certificate: {fault}")
        return False
    finally:
        live.end()
    replace_file(file, text)
    output.note(f"{file} has the certificate; 'cadogan check-certificate' checks it")
    return True


class Steps:
    """Progress in positions: one live line on a terminal, elsewhere a line every two seconds.

    Args:
        wanted: Whether to show it at all.
        done: What happened to the positions that count.
    """

    def __init__(self, wanted: bool, done: str) -> None:
        self._wanted = wanted
        self._done = done
        self._on_terminal = sys.stderr.isatty()
        self._shown_at = time.monotonic()
        self._is_shown = False

    def __call__(self, done: int, positions: int) -> None:
        """Shows how many of the positions are done."""
        now = time.monotonic()
        if not self._wanted or now - self._shown_at < (0.1 if self._on_terminal else 2):
            return
        self._shown_at = now
        text = f"{done:,} of {positions:,} positions {self._done}"
        if self._on_terminal:
            sys.stderr.write(f"\r\x1b[K{text[: output.width() - 1]}")
            sys.stderr.flush()
            self._is_shown = True
        else:
            output.note(text)

    def end(self) -> None:
        """Clears the line."""
        if self._is_shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._is_shown = False

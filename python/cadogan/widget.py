"""A table to play on in a notebook: ``pip install 'cadogan[notebook]'``.

    from cadogan.widget import PlayableTable
    PlayableTable(cadogan.load("klondike").deal("cadogan:1"))

The page only draws what it is given and reports clicks; everything else happens here.
"""

from typing import Any, Final, final

try:
    import anywidget
    import traitlets
except ImportError:
    raise ImportError(
        "a table in a notebook needs anywidget and traitlets: pip install 'cadogan[notebook]'"
    ) from None

from cadogan.game import Position
from cadogan.moves import Move, MoveError
from cadogan.pictures.board import board

_PAGE: Final = """
function render({ model, el }) {
  const table = document.createElement("div");
  const buttons = document.createElement("div");
  const message = document.createElement("div");
  message.setAttribute("role", "status");
  table.addEventListener("click", (event) => {
    const place = event.target.closest("[data-pile]");
    if (place === null) model.send({ clear: true });
    else model.send({ pile: place.dataset.pile, count: Number(place.dataset.count) });
  });
  function draw() {
    table.innerHTML = model.get("picture");
    message.textContent = model.get("message");
    buttons.replaceChildren(
      ...model.get("buttons").map((text) => {
        const button = document.createElement("button");
        button.textContent = text;
        button.addEventListener("click", () => model.send({ button: text }));
        return button;
      }),
    );
  }
  for (const name of ["picture", "message", "buttons"]) model.on(`change:${name}`, draw);
  draw();
  el.append(table, buttons, message);
}
export default { render };
"""
UNDO: Final = "undo"


@final
class PlayableTable(anywidget.AnyWidget):
    """A table to play on: click a card, then where it should go.

    Legal goals are marked. Moves that take no card from a pile of your choice, such as dealing,
    are buttons. A click on a place that is no goal explains why.

    Args:
        position: Where to begin.

    Attributes:
        position: The position on the table. It follows the moves, and can be set.
    """

    _esm = _PAGE
    picture = traitlets.Unicode().tag(sync=True)
    message = traitlets.Unicode().tag(sync=True)
    buttons = traitlets.List(traitlets.Unicode()).tag(sync=True)
    position = traitlets.Instance(Position)

    def __init__(self, position: Position) -> None:
        self._selected: tuple[str, int] | None = None
        super().__init__(position=position)
        self.on_msg(lambda _widget, content, _buffers: self.receive(content))

    @traitlets.observe("position")
    def _changed(self, _change: object) -> None:
        self._selected = None
        self._draw(self.position.explain_choice() or "")

    def receive(self, content: Any) -> None:
        """Handles what the page reports: a click on a place, on a button, or elsewhere."""
        match content:
            case {"button": str(text)}:
                self._press(text)
            case {"pile": str(pile), "count": int(count)} if pile in self.position.piles:
                self._click(pile, count)
            case _:
                self._selected = None
                self._draw("")

    def _press(self, text: str) -> None:
        if text == UNDO and self.position.move_count:
            self.position = self.position.undo()
        elif text in self._words():
            self.position = self.position.play(text)

    def _click(self, pile: str, count: int) -> None:
        if self._selected is not None:
            moves = [move for move, goal in self._offered() if goal == pile]
            if moves:
                self.position = self.position.play(moves[0])
                return
            if self._selected[0] == pile:
                self._selected = None
                self._draw("")
                return
        moves = [move for move, _ in self._moves_from(pile)]
        if len(moves) == 1 and moves[0].target is None:
            self.position = self.position.play(moves[0])
        elif moves:
            self._selected = pile, min(max(count, 1), max(move.count or 1 for move in moves))
            self._draw("")
        elif self._selected is not None:
            self._draw(self._why_not(self._selected[0], pile))

    def _why_not(self, source: str, target: str) -> str:
        try:
            return self.position.why_not(f"{source} > {target}") or ""
        except MoveError as error:
            return str(error)

    def _moves_from(self, pile: str) -> list[tuple[Move, str]]:
        """The legal moves whose first card leaves a pile, each with where it goes."""
        return [
            (move, ways[0][2])
            for move, ways in self.position.moves_with_transfers()
            if ways and ways[0][0] == pile
        ]

    def _offered(self) -> list[tuple[Move, str]]:
        """The moves of the selected cards; of other cards of the pile if these have none."""
        if self._selected is None:
            return []
        pile, wanted = self._selected
        moves = self._moves_from(pile)
        return [each for each in moves if (each[0].count or 1) == wanted] or moves

    def _words(self) -> list[str]:
        return [move.text for move in self.position.moves() if move.source is None]

    def _draw(self, message: str) -> None:
        goals = {goal for _, goal in self._offered()}
        with self.hold_trait_notifications():
            self.picture = board(
                self.position, playable=True, selected=self._selected, goals=sorted(goals)
            )
            self.buttons = [*([UNDO] if self.position.move_count else []), *self._words()]
            self.message = message

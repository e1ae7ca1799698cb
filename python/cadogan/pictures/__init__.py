"""Pictures of games and positions, for notebooks and web pages.

    layout    where the piles lie; the table in the browser uses it, too
    cards     cards and empty places as SVG
    board     a position, or the empty table of a game, as SVG
    html      games and verdicts as HTML

A picture shows what the player can see: no hidden card is in its text.
"""

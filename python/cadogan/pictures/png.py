"""Pictures as PNG, for what shows no SVG: most previews of links, and many chats.

resvg draws them. It runs no scripts and loads nothing but the font that comes with Cadogan, so a
picture is the same on every machine. The font is a part of DejaVu Sans Bold, made by ``pyftsubset
DejaVuSans-Bold.ttf --layout-features=kern --no-hinting --name-IDs='*'`` with the letters of Latin,
Greek and Cyrillic; ``fonts/LICENSE.txt`` is its licence.
"""

from pathlib import Path
from typing import Final

FONT: Final = Path(__file__).parent / "fonts" / "dejavu-sans-bold.ttf"


def as_png(svg: str, width: int | None = None) -> bytes:
    """Draws a picture as PNG.

    Args:
        svg: The picture; one of :mod:`cadogan.pictures`.
        width: Its width in pixels; by default its own.

    >>> as_png('<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2"/>')[1:4]
    b'PNG'
    """
    # Loaded here: only servers need it.
    import resvg_py

    drawn = resvg_py.svg_to_bytes(
        svg_string=svg, width=width, skip_system_fonts=True, font_files=[str(FONT)]
    )
    return bytes(drawn)

"""What Sphinx needs to know of the site of documents. ``make docs`` builds it."""

from collections.abc import Callable
from functools import cache
from importlib.metadata import version as version_of
from typing import Any

from sphinx.application import Sphinx

project = "Cadogan"
author = "The Cadogan authors"
version = release = version_of("cadogan")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "README"

# Markdown: links to headings work as they do in other viewers of Markdown.
myst_heading_anchors = 4

# The API: what a docstring says, in the order of the source.
# Annotations name classes by their last name, which some modules share.
suppress_warnings = ["ref.python"]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
napoleon_numpy_docstring = False
napoleon_use_ivar = True
python_display_short_literal_types = True
python_maximum_signature_line_length = 88
toc_object_entries_show_parents = "hide"

# Everything the pages need is in the site itself: nothing is loaded from elsewhere.
html_theme = "furo"
html_title = "Cadogan"
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_theme_options = {"top_of_page_buttons": []}
pygments_style = "friendly"
pygments_dark_style = "github-dark"

NAVIGATION: dict[str, Callable[..., str]] = {}
"""What draws the navigation of the pages in a folder."""


def share_navigation(
    _app: Sphinx, page: str, _template: str, context: dict[str, Any], _: Any
) -> None:
    """Draws the navigation once for all pages of games: it lists none of them, so it is the same.

    Sphinx would take as long for it as for half of the site.
    """
    if page.startswith("games/"):
        context["toctree"] = NAVIGATION.setdefault("games", cache(context["toctree"]))


def setup(app: Sphinx) -> None:
    """Is called by Sphinx. The theme asks for the navigation at priority 500."""
    app.connect("html-page-context", share_navigation, priority=400)

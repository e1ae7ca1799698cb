"""The table in the browser: a thin face of HTTP and WebSocket over :mod:`cadogan.table`.

Nothing here decides a move, keeps a game or searches: a route reads what was asked, hands it to
``cadogan.table``, and writes the answer in the models of :mod:`cadogan.web.models`. The OpenAPI
document made of them, ``web/openapi.json``, is what the page's types are generated from.
"""

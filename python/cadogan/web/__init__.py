"""The table in the browser: an HTTP and WebSocket interface to :mod:`cadogan.table`.

Nothing here decides moves, stores games or searches: a route validates a request, passes it to
``cadogan.table``, and writes the answer with the models of :mod:`cadogan.web.models`. The
TypeScript types of the page are generated from the OpenAPI document of these models,
``web/openapi.json``.
"""

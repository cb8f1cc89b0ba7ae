"""A server: the page, a REST interface that UDPipe's clients know, and JSON for programs.

It needs the extra `server`; `plait.server.app.create_app` makes the application.
"""

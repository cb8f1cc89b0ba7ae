"""Choosing feature templates: forward selection (Ballesteros and Bohnet 2014)."""

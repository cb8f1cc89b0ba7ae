"""`python -m plait` is the command `plait`."""

from plait.cli import main

main()

"""`python -m mien` is `mien`."""

from mien.cli import main

main()

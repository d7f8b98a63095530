"""Operators that backends take which can not be asked here, as data: see `mien.check.coverage`."""

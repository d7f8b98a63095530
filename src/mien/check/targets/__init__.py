"""Profiles of machines, as data: see `mien.check.profiles`."""

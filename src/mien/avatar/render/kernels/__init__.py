"""The compiled inner loops. Importing a module of this folder imports numba."""

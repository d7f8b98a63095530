"""How a server is seen from outside: figures, traces, logs (docs/operations.md)."""

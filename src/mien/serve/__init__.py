"""Personas for others to talk to: HTTP and WebSocket."""

"""Heads as files: glTF binaries of our own, VRM, and what is read of those made elsewhere."""

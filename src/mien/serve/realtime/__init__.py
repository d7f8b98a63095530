"""OpenAI's Realtime protocol, with a face (docs/protocol.md)."""

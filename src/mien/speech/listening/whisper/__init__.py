"""Whisper: sound to words, on the sound that is there."""

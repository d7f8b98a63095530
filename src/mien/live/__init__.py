"""A conversation in real time: turn taking, speculation, barge-in, one clock and one generation."""

"""Films made in the background, each in a process of its own."""

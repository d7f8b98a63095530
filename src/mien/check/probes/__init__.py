"""What is tried, a family to a file: each probe is a function from `Place` to `Result`."""

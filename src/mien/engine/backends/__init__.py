"""What runs models; each library is imported by its own module only."""

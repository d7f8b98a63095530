"""A page on this machine on which a person's look is set by hand: `mien avatar studio`."""

"""What a suite proves of a unit, and what mutants prove of a suite."""

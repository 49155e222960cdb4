"""What a course author declares, measures and locks."""

"""Student and course code, read by its syntax tree."""

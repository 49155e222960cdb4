"""Raw facts of a run turned into causes and lines to read."""

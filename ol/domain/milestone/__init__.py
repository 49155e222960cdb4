"""Milestones: what a student's own command line must do with what the student built."""

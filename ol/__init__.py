"""`ol`: a course-grading harness that grades what a test catches."""

__version__ = "0.1.0"

"""The outside world, one file per technology."""

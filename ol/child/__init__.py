"""What runs beside student code: stands apart, imports nothing else of `ol`."""

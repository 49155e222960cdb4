"""What several verbs do on their way."""

"""An answer in, words out."""

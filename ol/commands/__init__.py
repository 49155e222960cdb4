"""One file per verb: ports in, an answer out."""

# Nothing again.

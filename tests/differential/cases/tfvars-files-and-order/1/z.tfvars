both = "z"
order = "z"

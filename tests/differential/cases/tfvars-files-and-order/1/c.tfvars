order = "never"

t = "v"

image = "v2"

v = "file"

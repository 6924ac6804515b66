text = "Changed\n"

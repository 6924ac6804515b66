days = 8

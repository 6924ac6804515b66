v5 = "tests auto"

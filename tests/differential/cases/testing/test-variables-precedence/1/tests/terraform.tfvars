v4 = "tests"
v5 = "tests"
v6 = "tests"
v7 = "tests"

ghost = 1

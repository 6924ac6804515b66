  value = 1

  value = 1 }

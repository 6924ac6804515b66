  value = a ; b

foo = 1
"bar" = 2
resource = 3

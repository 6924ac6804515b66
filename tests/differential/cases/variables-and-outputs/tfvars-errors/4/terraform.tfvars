n = "one"
l = { a = 1 }
o = { b = 2 }
undeclared = 5

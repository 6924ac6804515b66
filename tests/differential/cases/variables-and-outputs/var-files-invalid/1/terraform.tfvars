a = 1
a = 2
b = 3
c {}
d = var.a

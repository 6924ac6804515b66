n = var.l
l = upper("a")
o = { a = local.x }

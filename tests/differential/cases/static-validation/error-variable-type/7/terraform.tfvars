number = []
flag   = "perhaps"
list   = { a = 1 }
object = { name = "n", size = "large" }

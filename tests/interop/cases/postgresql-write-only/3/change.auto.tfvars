password = "second secret"

revision = 2

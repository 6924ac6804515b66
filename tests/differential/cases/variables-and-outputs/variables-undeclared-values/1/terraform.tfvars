real    = 2
spirit  = 3

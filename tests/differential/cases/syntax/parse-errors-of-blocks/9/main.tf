a = 1
nonsense {}

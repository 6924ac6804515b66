envs = { dev = ["b"] }

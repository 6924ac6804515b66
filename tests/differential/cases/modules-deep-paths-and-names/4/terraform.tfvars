envs = {}

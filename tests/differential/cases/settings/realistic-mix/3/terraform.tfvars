services = {
  web   = { port = 443, replicas = 3, env = { MODE = "public" } }
  cache = { port = 6379 }
}

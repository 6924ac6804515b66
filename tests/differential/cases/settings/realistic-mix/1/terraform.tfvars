services = {
  web = { port = 80, replicas = 2, env = { MODE = "public" } }
  api = { port = 8080 }
}

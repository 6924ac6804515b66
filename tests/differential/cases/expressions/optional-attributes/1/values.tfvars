services = {
  web = {
    image = "nginx"
  }
  api = {
    image    = "api"
    replicas = "3"
    ports    = [{ port = "8080" }, { port = 53, protocol = "udp" }]
    limits   = { cpu = null }
  }
  job = {
    image    = "job"
    replicas = null
    env      = { A = 1, B = true }
    ports    = []
    limits   = null
  }
}

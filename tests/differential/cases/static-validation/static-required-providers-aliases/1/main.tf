terraform {
  required_providers {
    a = { source = "hashicorp/null", configuration_aliases = [a.x, b.y, "c.z", a.x.y] }
    B = { source = "hashicorp/null" }
    c-D_ = "1"
    d = { configuration_aliases = d.x }
    e = { "source" = "hashicorp/null", (var.x) = 1, "${"v"}" = 1 }
    f = { source = var.x }
    g = { version = "${1}" }
    h = { source = null }
    i = null
  }
  required_providers {
    a = { source = "x" }
  }
}

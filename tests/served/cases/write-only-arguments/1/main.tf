terraform {
  required_providers {
    probe = { source = "example.com/terrane/probe" }
  }
}

variable "password" {
  type      = string
  ephemeral = true
  default   = "secret-one"
}
ephemeral "probe_lease" "l" {
  name = "lease"
}
resource "probe_secret" "s" {
  name             = "s"
  password_wo      = var.password
  password_version = 1
  token_wo         = { deep = ephemeral.probe_lease.l.token, n = 1 }
  login            = { user = "u", key_wo = ephemeral.probe_lease.l.token }
  logins           = [{ user = "a", key_wo = "k" }, { user = "b" }]
  mail {
    to      = "me"
    text_wo = "hello ${var.password}"
  }
}
resource "probe_secret" "none" {
  name       = "none"
  depends_on = [probe_secret.s]
}
output "s" {
  value     = probe_secret.s
  sensitive = true
}

terraform {
  required_providers {
    random = { source = "hashicorp/random" }
    local  = { source = "hashicorp/local" }
  }
}

variable "stack" { type = string }
variable "name" { type = string }
variable "epoch" { type = number }
variable "settings" {
  type = object({ port = number, replicas = number, env = map(string) })
}

resource "random_password" "token" {
  count  = var.settings.replicas
  length = 16
}

resource "local_sensitive_file" "config" {
  filename = "${path.root}/out/${var.name}.conf"
  content = templatefile("${path.module}/config.tftpl", {
    name   = var.name
    port   = var.settings.port
    tokens = random_password.token[*].result
    env    = var.settings.env
  })
}

output "url" {
  value = "http://${var.name}.${var.stack}:${var.settings.port}/?epoch=${var.epoch}"
}

terraform {
  required_providers {
    postgresql = {
      source  = "cyrilgdn/postgresql"
      version = "1.26.0"
    }
  }
}

variable "port" {
  type = number
}

provider "postgresql" {
  host     = "127.0.0.1"
  port     = var.port
  username = "postgres"
  password = "unused"
  sslmode  = "disable"
}

variable "password" {
  type      = string
  ephemeral = true
  default   = "first secret"
}

resource "postgresql_role" "secret" {
  name                = "secret"
  login               = true
  password_wo         = var.password
  password_wo_version = "1"
}

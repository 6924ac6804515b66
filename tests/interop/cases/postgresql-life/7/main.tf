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

resource "postgresql_role" "app" {
  name = "app"
}

resource "postgresql_database" "shop" {
  name     = "store"
  owner    = postgresql_role.app.name
  template = "template0"
}

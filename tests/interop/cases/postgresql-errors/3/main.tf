terraform {
  required_providers {
    postgresql = {
      source  = "cyrilgdn/postgresql"
      version = "1.26.0"
    }
  }
}

provider "postgresql" {
  host    = "127.0.0.1"
  port    = 1
  sslmode = "disable"
}

resource "postgresql_role" "fine" {
  name = "fine"
}

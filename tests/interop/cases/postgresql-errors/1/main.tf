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

resource "postgresql_role" "fine" {
  name = "fine"
}

resource "postgresql_database" "orphan" {
  name  = "orphan"
  owner = "nobody_of_that_name"

  depends_on = [postgresql_role.fine]
}

resource "postgresql_schema" "never" {
  name     = "never"
  database = postgresql_database.orphan.name
}

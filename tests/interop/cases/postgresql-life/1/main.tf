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
  name             = "app"
  login            = true
  connection_limit = 5
  search_path      = ["shop", "public"]
}

resource "postgresql_role" "member" {
  for_each = toset(["reader", "writer"])

  name  = each.key
  roles = [postgresql_role.app.name]
}

resource "postgresql_database" "shop" {
  name  = "shop"
  owner = postgresql_role.app.name
}

resource "postgresql_schema" "extra" {
  name     = "extra"
  database = postgresql_database.shop.name
  owner    = postgresql_role.app.name

  policy {
    usage = true
    role  = postgresql_role.member["reader"].name
  }
}

resource "postgresql_grant" "read" {
  database    = postgresql_database.shop.name
  role        = postgresql_role.member["reader"].name
  schema      = postgresql_schema.extra.name
  object_type = "table"
  privileges  = ["SELECT"]
}

output "owner" {
  value = postgresql_schema.extra.owner
}

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

provider "postgresql" {
  alias    = "late"
  host     = "127.0.0.1"
  port     = var.port
  username = postgresql_role.admin.name
  password = postgresql_role.admin.password
  sslmode  = "disable"
}

resource "postgresql_role" "admin" {
  name      = "admin"
  login     = true
  superuser = true
  password  = "hidden"
}

resource "postgresql_role" "made_by_admin" {
  provider = postgresql.late
  name     = "made"
}

import {
  to = postgresql_role.old
  id = "old"
}

resource "postgresql_role" "old" {
  name  = "old"
  login = true
}

import {
  to = postgresql_database.legacy
  id = "legacy"
}

resource "postgresql_database" "legacy" {
  name              = "legacy"
  owner             = postgresql_role.old.name
  allow_connections = false
}

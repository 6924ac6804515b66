terraform {
  required_providers {
    rabbitmq = {
      source  = "cyrilgdn/rabbitmq"
      version = "1.8.0"
    }
  }
}

variable "url" {
  type = string
}

provider "rabbitmq" {
  endpoint = var.url
  username = "guest"
  password = "guest"
}

resource "rabbitmq_vhost" "shop" {
  name = "shop"
}

resource "rabbitmq_permissions" "guest" {
  user  = "guest"
  vhost = rabbitmq_vhost.shop.name

  permissions {
    configure = ".*"
    write     = ".*"
    read      = ".*"
  }
}

resource "rabbitmq_user" "app" {
  name     = "app"
  password = "changed"
  tags     = ["monitoring", "management"]
}

resource "rabbitmq_exchange" "orders" {
  name  = "orders"
  vhost = rabbitmq_permissions.guest.vhost

  settings {
    type        = "topic"
    durable     = true
    auto_delete = false
  }
}

resource "rabbitmq_queue" "jobs" {
  for_each = toset(["fast", "slow"])

  name  = each.key
  vhost = rabbitmq_permissions.guest.vhost

  settings {
    durable     = true
    auto_delete = false
    arguments_json = jsonencode({
      "x-message-ttl" = 5000
      "x-max-length"  = 10
    })
  }
}

resource "rabbitmq_binding" "fast" {
  source           = rabbitmq_exchange.orders.name
  vhost            = rabbitmq_vhost.shop.name
  destination      = rabbitmq_queue.jobs["fast"].name
  destination_type = "queue"
  routing_key      = "fast.#"
}

resource "rabbitmq_policy" "limits" {
  name  = "limits"
  vhost = rabbitmq_permissions.guest.vhost

  policy {
    pattern  = ".*"
    priority = 0
    apply_to = "queues"

    definition = {
      max-length = 200
    }
  }
}

data "rabbitmq_vhost" "shop" {
  name = rabbitmq_vhost.shop.name
}

output "binding" {
  value = rabbitmq_binding.fast.id
}

output "vhost" {
  value = data.rabbitmq_vhost.shop
}

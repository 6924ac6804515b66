# Three environments from one module: each has a certificate of its own, signed by itself, and a
# configuration for the web server in front of it. Production has more of everything.

terraform {
  required_version = ">= 1.5"

  required_providers {
    local = {
      source  = "hashicorp/local"
      version = "~> 2.5"
    }
    random = {
      source  = "hashicorp/random"
      version = "~> 3.6"
    }
    tls = {
      source  = "hashicorp/tls"
      version = "~> 4.0"
    }
  }
}

variable "domain" {
  type    = string
  default = "example.com"
}

variable "environments" {
  type = map(object({
    hosts     = optional(list(string), ["www"])
    workers   = optional(number, 1)
    protected = optional(bool, false)
    headers   = optional(map(string), {})
  }))

  default = {
    dev = {}
    staging = {
      hosts     = ["www", "api"]
      protected = true
    }
    production = {
      hosts   = ["www", "api", "static"]
      workers = 4
      headers = {
        Strict-Transport-Security = "max-age=31536000"
        X-Frame-Options           = "DENY"
      }
    }
  }
}

module "environment" {
  source   = "./modules/environment"
  for_each = var.environments

  name      = each.key
  domain    = each.key == "production" ? var.domain : "${each.key}.${var.domain}"
  hosts     = each.value.hosts
  workers   = each.value.workers
  protected = each.value.protected
  headers   = each.value.headers
  directory = "${path.root}/output/${each.key}"
}

output "hosts" {
  description = "Every host name of every environment."
  value       = { for name, environment in module.environment : name => environment.hosts }
}

output "certificates" {
  description = "Until when each certificate is valid, sorted by environment."
  value       = { for name, environment in module.environment : name => environment.valid_until }
}

output "logins" {
  description = "The logins of the protected environments."
  value       = { for name, environment in module.environment : name => environment.login if environment.protected }
  sensitive   = true
}

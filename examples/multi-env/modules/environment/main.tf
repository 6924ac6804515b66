terraform {
  required_providers {
    local = {
      source = "hashicorp/local"
    }
    random = {
      source = "hashicorp/random"
    }
  }
}

variable "name" {
  type = string
}

variable "domain" {
  type = string
}

variable "hosts" {
  type = list(string)

  validation {
    condition     = length(var.hosts) == length(distinct(var.hosts))
    error_message = "A host is listed twice."
  }
}

variable "workers" {
  type = number
}

variable "protected" {
  type = bool
}

variable "headers" {
  type = map(string)
}

variable "directory" {
  type = string
}

locals {
  names = [for host in var.hosts : "${host}.${var.domain}"]
}

module "certificate" {
  source = "../certificate"

  common_name = var.domain
  dns_names   = local.names
}

resource "random_password" "login" {
  count = var.protected ? 1 : 0

  length  = 16
  special = false
}

resource "local_file" "certificate" {
  filename        = "${var.directory}/tls/certificate.pem"
  content         = module.certificate.certificate
  file_permission = "0644"
}

resource "local_sensitive_file" "key" {
  filename        = "${var.directory}/tls/key.pem"
  content         = module.certificate.key
  file_permission = "0600"
}

resource "local_file" "server" {
  filename        = "${var.directory}/server.conf"
  file_permission = "0644"

  content = templatefile("${path.module}/templates/server.conf.tftpl", {
    environment = var.name
    names       = local.names
    workers     = range(var.workers)
    headers     = var.headers
    protected   = var.protected
    certificate = local_file.certificate.filename
    key         = local_sensitive_file.key.filename
  })
}

output "hosts" {
  value = local.names
}

output "valid_until" {
  value = module.certificate.valid_until
}

output "protected" {
  value = var.protected
}

output "login" {
  value     = one(random_password.login[*].result)
  sensitive = true
}

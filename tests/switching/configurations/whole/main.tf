terraform {
  required_version = ">= 1.9"
  required_providers {
    time = {
      source  = "hashicorp/time"
      version = "~> 0.14"
    }
  }
}

variable "name" {
  type        = string
  default     = "zero"
  description = "What things are called."
  validation {
    condition     = var.name != ""
    error_message = "A name is needed."
  }
}

variable "password" {
  type      = string
  default   = "hidden"
  sensitive = true
}

resource "terraform_data" "one" {
  input = { name = var.name, list = [1, 2.5, null, true], nested = { a = [] } }
}

resource "terraform_data" "many" {
  for_each         = toset(["a", "b"])
  input            = "${each.key} of ${try(terraform_data.one.output.name, "none")}"
  triggers_replace = var.name
  lifecycle {
    create_before_destroy = true
  }
}

resource "time_offset" "later" {
  base_rfc3339 = "2026-01-01T00:00:00Z"
  offset_days  = length(var.name)
  triggers     = { name = var.name }
}

resource "terraform_data" "secret" {
  input = { password = var.password, days = time_offset.later.day }
}

module "inner" {
  source = "./inner"
  count  = 2
  name   = "${var.name}-${count.index}"
}

check "days" {
  assert {
    condition     = time_offset.later.offset_days != 4
    error_message = "It is four days later."
  }
}

output "name" {
  value       = try(terraform_data.one.output.name, null)
  description = "The name that came out."
}

output "inner" {
  value = module.inner[*].made
}

output "password" {
  value     = var.password
  sensitive = true
}

terraform {
  required_version = ">= 1.9"
  required_providers {
    local = {
      source  = "hashicorp/local"
      version = "~> 2.0"
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

resource "local_file" "note" {
  filename        = "${path.module}/note.txt"
  content         = "for ${var.name}"
  file_permission = "0600"
}

resource "local_sensitive_file" "secret" {
  filename = "${path.module}/secret.txt"
  content  = var.password
}

module "inner" {
  source = "./inner"
  count  = 2
  name   = "${var.name}-${count.index}"
}

data "local_file" "note" {
  filename = local_file.note.filename
}

check "note" {
  assert {
    condition     = data.local_file.note.content != "for four"
    error_message = "The note is for four."
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

variable "password" {
  type      = string
  sensitive = true
}

variable "settings" {
  type      = map(string)
  default   = { a = "1", b = "2" }
  sensitive = true
}

locals {
  url = "https://user:${var.password}@host"
}

resource "terraform_data" "whole" {
  input = var.password
}

resource "terraform_data" "part" {
  input = { user = "u", password = var.password, list = ["x", var.password], settings = var.settings }
}

resource "terraform_data" "derived" {
  input            = upper(terraform_data.whole.output)
  triggers_replace = [length(var.password)]
}

resource "terraform_data" "plain" {
  input = nonsensitive(length(var.password))
}

module "m" {
  source = "./m"
  secret = local.url
}

output "url" {
  value     = local.url
  sensitive = true
}

output "part_of" {
  value     = { a = "b", c = var.settings }
  sensitive = true
}

output "revealed" {
  value = nonsensitive(var.password)
}

output "is" {
  value = [issensitive(var.password), issensitive("x"), issensitive({ a = var.password }), issensitive(terraform_data.part.output.user)]
}

output "from_module" {
  value     = module.m.secret
  sensitive = true
}

output "marked" {
  value     = sensitive("marked by a function")
  sensitive = true
}

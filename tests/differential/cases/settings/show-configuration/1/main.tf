terraform {
  required_version = ">= 1.0"
  required_providers {
    random = { source = "hashicorp/random", version = "~> 3.0" }
    null   = { source = "hashicorp/null" }
    time   = { source = "hashicorp/time", version = ">= 0.9, < 1.0" }
  }
}
variable "plain" {}
variable "typed" {
  type = object({ a = string, b = optional(number, 3), c = list(map(bool)), d = tuple([string, any]) })
  default = { a = "x", c = [], d = ["a", 1] }
  description = "desc"
  validation {
    condition = length(var.typed.a) > 0
    error_message = "no"
  }
}
variable "anyv" {
  type = any
  default = null
}
variable "lst" {
  type = list(any)
  default = [1, 2]
  nullable = false
}
variable "sens" {
  type = string
  sensitive = true
  default = "hide"
}
variable "eph" {
  type = string
  ephemeral = true
  default = ""
}
variable "old" {
  type = number
  default = 1
  deprecated = "do not"
}
locals {
  x = var.plain
  y = [for k in var.lst : k]
}
provider "random" {}
provider "null" { alias = "other" }
resource "null_resource" "a" {
  count = length(var.lst)
  triggers = {
    a = var.plain
    b = local.x
    c = random_pet.p["k"].id
    d = module.m.out
    e = module.m2["z"].out
    f = "${path.module}-${terraform.workspace}"
  }
  lifecycle {
    create_before_destroy = true
    ignore_changes = [triggers["a"]]
    precondition {
      condition = var.plain != ""
      error_message = "x"
    }
    replace_triggered_by = [random_pet.p]
  }
  provisioner "local-exec" {
    command = "echo ${self.id}"
    when = destroy
    on_failure = continue
  }
  provisioner "remote-exec" {
    inline = ["a", var.plain]
    connection {
      host = "h"
    }
  }
  depends_on = [random_pet.p, module.m, data.null_data_source.d]
}
resource "random_pet" "p" {
  for_each = toset(["k", var.plain])
  length = 2
  keepers = { k = each.key, v = each.value }
}
resource "null_resource" "b" {
  provider = null.other
  triggers = { x = null_resource.a[0].id, y = null_resource.a[*].id, z = null_resource.a[var.old].triggers["k"] }
}
data "null_data_source" "d" {
  inputs = { a = "1", b = var.sens }
}
resource "terraform_data" "t" {
  input = { a = [for r in null_resource.a : r.id if r.id != var.plain], b = try(random_pet.p[var.plain].id, null), c = jsonencode({x = 1}), d = true ? 1 : 2, e = upper("x") , f = !var.lst[0], g = null}
  triggers_replace = templatefile("x.tpl", { v = var.plain })
}
module "m" {
  source = "./m"
  v = var.plain
  w = [random_pet.p["k"].length]
  providers = { random = random, null.q = null.other }
}
module "m2" {
  source = "./m"
  for_each = { z = 1 }
  v = each.value
  w = []
  providers = { null.q = null }
}
module "m3" {
  source = "./u"
  count = 2
}
output "o" {
  value = null_resource.a[0].id
  description = "d"
  sensitive = true
  depends_on = [module.m]
  precondition {
    condition = var.plain != "q"
    error_message = "e"
  }
}
output "const" { value = { a = [1, "x", null] } }
output "eph" {
  value = "x"
}
moved {
  from = null_resource.old
  to = null_resource.b
}
check "c" {
  data "null_data_source" "inner" {
    inputs = { z = var.plain }
  }
  assert {
    condition = data.null_data_source.inner.id != ""
    error_message = "x"
  }
}
import {
  to = random_pet.imp
  id = "abc"
}
resource "random_pet" "imp" {}
resource "time_static" "ts" {
  provider = time
}
ephemeral "random_password" "ep" {
  length = 3 + var.old
}

output "faulty" {
  value = { quotient = 1 / 0, element = [1, 2][5], text = "${1 / 0}" }
}

variable "s" {
  default   = "secret"
  sensitive = true
}
locals {
  o = { a = { b = [1, { c = var.s }] }, d = "plain" }
}
resource "terraform_data" "deep" { input = local.o }
resource "terraform_data" "list" { input = [for x in local.o.a.b : x] }
resource "terraform_data" "derived" {
  input = {
    upper  = upper(local.o.a.b[1].c)
    tpl    = "x-${local.o.a.b[1].c}"
    plain  = local.o.d
    keys   = keys(local.o)
    values = values({ a = var.s, b = "p" })
    merge  = merge({ x = var.s }, { y = 1 })
    concat = concat([var.s], ["p"])
    set    = toset([var.s, "p"])
    map    = tomap({ a = var.s, b = "p" })
    list   = tolist([var.s, "p"])
    cond   = var.s == "secret" ? "same" : "other"
    cond2  = true ? { a = var.s, b = 1 } : { a = "x", b = 2 }
    for    = { for k, v in { a = var.s, b = 1 } : k => v }
    group  = { for x in ["a", "b"] : x => var.s... }
    splat  = [{ a = var.s }, { a = "p" }][*].a
    json   = jsonencode({ a = var.s })
    len    = length([var.s])
    len_s  = length(var.s)
    elem   = [var.s, "p"][1]
    index  = ["p", "q"][length(var.s) > 3 ? 0 : 1]
    flat   = flatten([[var.s], ["p"]])
    try    = try(local.o.nope, var.s)
    null   = var.s == null
    tern   = false ? var.s : "unmarked?"
  }
}
resource "terraform_data" "each" {
  for_each = { k = var.s, l = "p" }
  input    = each.value
}
output "plain" { value = local.o.d }
output "each_keys" { value = keys(terraform_data.each) }
output "whole" {
  value     = terraform_data.derived.output
  sensitive = true
}
output "non" { value = nonsensitive(terraform_data.deep.input.a.b[1].c) }
output "len" { value = length(terraform_data.list.input) }
output "issens" { value = { for k, v in terraform_data.derived.input : k => issensitive(v) } }

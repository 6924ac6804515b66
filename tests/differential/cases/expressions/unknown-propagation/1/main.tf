resource "terraform_data" "a" {
  input = "known"
}

locals {
  id = terraform_data.a.id
}

resource "terraform_data" "object" {
  input = {
    id       = local.id
    known    = "k"
    template = "id-${local.id}-suffix"
    list     = [local.id, "b"]
    upper    = upper(substr(local.id, 8, 1))
    length   = length(local.id)
    concat   = concat(["x"], [local.id])
    merge    = merge({ a = 1 }, { b = local.id })
    keys     = keys({ a = local.id })
    cond     = local.id == "x" ? "yes" : "no"
    known_cond = true ? "known" : local.id
    for      = [for x in ["p", local.id] : "${x}!"]
    equal    = local.id == null
    json     = jsonencode({ id = local.id })
    tolist   = tolist([local.id, "b"])
    toset    = toset([local.id, "zz"])
    element  = element(["a", local.id], 0)
    lookup   = lookup({ a = local.id, b = "known" }, "b", "d")
    coalesce = coalesce(local.id, "x")
    try      = try(local.id, "x")
    can      = can(local.id)
    number   = try(tonumber(local.id), 0)
    split    = length(split("-", local.id))
    format   = format("%s-%s", "a", local.id)
    join     = join(",", ["a", local.id])
    tail     = slice(["a", local.id, "c"], 0, 1)
    starts   = startswith("prefix-${local.id}", "prefix-")
    logic    = true && local.id == "x"
  }
}

output "unknown" { value = local.id }
output "template" { value = "x-${local.id}" }
output "list" { value = [local.id, "known"] }
output "object" { value = { id = local.id, k = 1 } }
output "known_length" { value = length([local.id, local.id]) }
output "known_keys" { value = keys({ a = local.id }) }
output "whole_resource" { value = terraform_data.a }

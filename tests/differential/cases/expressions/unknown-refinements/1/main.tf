resource "terraform_data" "a" { input = "x" }
resource "terraform_data" "l" { input = ["a", "b"] }
locals {
  id   = terraform_data.a.id
  pre  = "prefix-${local.id}"
  both = "prefix-${local.id}-suffix"
  out  = terraform_data.l.output
}
resource "terraform_data" "r" {
  input = {
    not_null         = local.id == null ? 1 : 2
    not_null_neg     = local.id != null
    pre_null         = local.pre == null
    starts           = startswith(local.pre, "pre")
    starts_no        = startswith(local.pre, "nope")
    starts_longer    = startswith(local.pre, "prefix-x")
    equal_prefix     = local.pre == "other"
    equal_prefix_may = local.pre == "prefix-1"
    cond_prefix      = local.id == "x" ? "abc-1" : "abc-2"
    cond_numbers     = local.id == "x" ? 1 : 5
    cond_lists       = local.id == "x" ? ["a"] : ["b"]
    cond_lists_len   = length(local.id == "x" ? tolist(["a"]) : tolist(["b", "c"]))
    cond_null        = local.id == "x" ? null : "a"
    cond_object      = local.id == "x" ? { a = 1, b = "k" } : { a = 2, b = "k" }
    cond_same        = local.id == "x" ? "same" : "same"
    len              = length([local.id, local.id])
    len_set          = length(toset([local.id, "a"]))
    len_out          = length(local.out)
    keys             = keys({ (local.both) = 1 })
    splat            = terraform_data.a[*].id
    splat_unknown    = local.out[*]
    for_unknown      = [for x in local.out : x]
    for_filter       = [for x in ["a", "b"] : x if x != local.id]
    tuple_known      = [for x in ["a", local.id] : x][0]
    index_unknown    = ["a", "b"][length(local.id) - 36]
    template         = "%{ if local.id == "" }a%{ else }b%{ endif }"
    template_for     = "%{ for x in local.out }${x}%{ endfor }"
    and              = local.id == "x" && true
    not              = !(local.id == "x")
    minus            = -length(local.id)
    greater          = length(local.id) >= 0
    less             = length(local.id) < 0
    less_unknown     = length(local.id) < 5
    number_eq        = length(local.id) == -1
    coalesce         = coalesce(null, local.id)
    jsonpre          = jsonencode({ a = local.id })
    merge            = merge({ a = local.id }, { b = 1 }).b
    tostring         = tostring(length(local.id))
    list_eq          = [local.id] == ["x"]
    list_eq_length   = [local.id] == ["x", "y"]
    format           = format("pre-%s", local.id)
    join             = startswith(join("-", ["a", local.id]), "a-")
    upper            = startswith(upper("ab${local.id}"), "AB")
    legacy           = terraform_data.a.*.id
    element          = element([local.id, "b"], 1)
    one              = one([local.id])
    compact          = compact([local.id, ""])
    distinct         = distinct([local.id, "a"])
    range            = range(length([local.id]))
    slice            = slice([local.id, "b", "c"], 1, 3)
    zip              = zipmap(["a", "b"], [local.id, 1])
    lookup           = lookup({ a = 1 }, local.id, 5)
    contains         = contains(["a", local.id], "a")
    try_unknown      = try(local.out.nope, "fallback")
    can_unknown      = can(local.out.nope)
  }
}
output "o" { value = terraform_data.r.input }

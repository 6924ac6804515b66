locals {
  people = [
    { name = "ann", team = "x", tags = ["t1", "t2"] },
    { name = "bob", team = "y", tags = [] },
    { name = "cid", team = "x", tags = ["t2"] },
  ]
  map = { b = 2, a = 1, "c d" = 3, 10 = 4, 9 = 5 }
}
output "group" { value = { for p in local.people : p.team => p.name... } }
output "group_objects" { value = { for i, p in local.people : p.team => { i = i, p = p.name }... } }
output "group_filtered" { value = { for p in local.people : p.team => p.name... if p.name != "cid" } }
output "group_empty" { value = { for p in [] : p => p... } }
output "invert" { value = { for t in distinct(flatten(local.people[*].tags)) : t => [for p in local.people : p.name if contains(p.tags, t)] } }
output "nested" { value = [for p in local.people : [for i, t in p.tags : "${p.name}-${i}-${t}"]] }
output "flat" { value = flatten([for p in local.people : [for t in p.tags : { p = p.name, t = t }]]) }
output "map_order" { value = [for k, v in local.map : "${k}=${v}"] }
output "keys_only" { value = [for k, _ in local.map : k] }
output "value_only" { value = [for v in local.map : v] }
output "set" { value = [for s in toset(["b", "a", "c"]) : s] }
output "set_key" { value = { for k, v in toset(["b", "a"]) : k => "${k == v}" } }
output "set_numbers" { value = [for k, v in toset([10, 9, 100]) : [k, v]] }
output "list_keys" { value = { for i, v in ["a", "b"] : i => v } }
output "list_keys_type" { value = [for i, v in ["a", "b"] : i + 1] }
output "tuple" { value = [for v in [1, "a", true, null, [1], {}] : v] }
output "object" { value = { for k, v in { a = 1, b = "x", c = [true] } : upper(k) => v } }
output "number_keys" { value = { for n in [1, 2.5, 1e3] : n => n } }
output "bool_keys" { value = { for n in [true, false] : n => n } }
output "shadow" { value = [for people in local.people : [for people in people.tags : people]] }
output "shadow_root" { value = [for var in ["a"] : var] }
output "shadow_local" { value = [for local in [{ map = 1 }] : local.map] }
output "filter" { value = [for i, v in ["a", "b", "c"] : v if i % 2 == 0 && v != "c"] }
output "filter_text" { value = [for v in ["true", "false"] : v if v] }
output "object_for_of_for" { value = { for k, v in { for x in ["a"] : x => [for y in [x] : y] } : k => v[0] } }
output "in_template" { value = "${join(",", [for x in ["a"] : "<${x}>"])}" }
output "multi_line" {
  value = {
    for
    p
    in
    local.people
    :
    p.name
    =>
    p.team
    if
    p.team == "x"
  }
}
output "result_object" { value = { for p in local.people : p.name => { for k, v in p : k => v if k != "tags" } } }
output "tuple_result_type" { value = tolist([for p in local.people : p.name]) }
output "name_for" { value = [for in in ["a"] : in] }
output "for_attribute" { value = { if = 2, in = 3, "for" = 1 }["for"] }
output "legacy_sort" { value = [for s in sort(["b", "a"]) : s] }
output "dup_group_order" { value = { for v in ["b1", "a1", "b0", "a0"] : substr(v, 0, 1) => v... } }
output "splat_group" { value = values({ for p in local.people : p.team => p... })[*][*].name }

locals {
  list   = ["c", "a", "b"]
  set    = toset(["c", "a", "b"])
  map    = { z = 1, y = 2, x = 3 }
  people = [{ name = "Ann", team = "red" }, { name = "Bob", team = "blue" }, { name = "Cy", team = "red" }]
}

output "from_list" { value = [for s in local.list : upper(s)] }
output "with_index" { value = [for i, s in local.list : "${i}${s}"] }
output "from_set" { value = [for k, v in local.set : "${k}=${v}"] }
output "from_map" { value = [for k, v in local.map : "${k}${v}"] }
output "only_values" { value = [for v in local.map : v] }
output "to_object" { value = { for i, s in local.list : s => i } }
output "filtered" { value = { for k, v in local.map : k => v if v > 1 } }
output "grouped" { value = { for p in local.people : p.team => p.name... } }
output "nested" { value = [for p in local.people : [for c in split("", p.name) : lower(c) if c != "n"]] }
output "from_tuple" { value = [for v in [1, "two", true, null] : v] }
output "from_object" { value = { for k, v in { a = 1, b = "x" } : upper(k) => v } }
output "empty" { value = [for v in [] : v] }
output "empty_object" { value = { for v in [] : v => v } }
output "number_keys" { value = { for v in [1, 2] : v => v * v } }
output "shadow" { value = [for local in [1] : local] }

resource "terraform_data" "u" {
  input = "later"
}
locals {
  u = terraform_data.u.output
}
output "o01" {
  value = length([local.u, "a"])
}
output "o02" {
  value = length(toset([local.u, "a"])) > 0
}
output "o03" {
  value = keys({a = local.u, b = 1})
}
output "o04" {
  value = values({a = local.u, b = 1})
}
output "o05" {
  value = merge({a = local.u}, {b = 1})
}
output "o06" {
  value = lookup({a = local.u}, "z", "none")
}
output "o07" {
  value = element([local.u, "b"], 1)
}
output "o08" {
  value = flatten([[local.u], ["b"]])
}
output "o09" {
  value = concat([local.u], ["b"])[1]
}
output "o10" {
  value = contains(["a", local.u], "a")
}
output "o11" {
  value = distinct([local.u, "a", "a"])
}
output "o12" {
  value = setproduct(["a"], [local.u])
}
output "o13" {
  value = zipmap(["k"], [local.u])
}
output "o14" {
  value = one([local.u])
}
output "o15" {
  value = slice([local.u, "b"], 1, 2)
}
output "o16" {
  value = reverse([local.u, "b"])[0]
}
output "o17" {
  value = sort([local.u, "b"]) != null
}
output "o18" {
  value = chunklist([local.u, "b", "c"], 2)[1]
}
output "o19" {
  value = coalescelist([local.u], ["b"])
}
output "o20" {
  value = compact(["a", ""])
}
output "o21" {
  value = alltrue([false, local.u == "x"])
}
output "o22" {
  value = anytrue([local.u == "x", true])
}
output "o23" {
  value = sum([length(local.u), 1]) != null
}
output "o24" {
  value = index(["a", local.u], "a")
}

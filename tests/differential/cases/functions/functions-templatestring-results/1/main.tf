locals {
  t  = "Hi $${name}"
  ts = ["a $${name}", "b"]
  m  = { x = "m $${name}" }
  l  = "%{for x in xs}<$${x}>%{endfor}"
  i  = "$${v}"
}
resource "terraform_data" "u" {
  input = "later"
}
locals {
  u = terraform_data.u.output
}
output "o01" {
  value = templatestring(local.t, {name = "A"})
}
output "o02" {
  value = templatestring(local.ts[0], {name = 1})
}
output "o03" {
  value = templatestring(local.m["x"], {name = true})
}
output "o04" {
  value = templatestring(local.m.x, {name = local.u})
}
output "o05" {
  value = templatestring(local.l, {xs = [1, 2]})
}
output "o06" {
  value = templatestring(local.i, {v = 5})
}
output "o07" {
  value = templatestring(local.t, {name = upper("b")})
}

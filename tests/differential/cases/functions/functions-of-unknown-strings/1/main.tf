resource "terraform_data" "u" {
  input = "later"
}
locals {
  u = terraform_data.u.output
}
output "o01" {
  value = upper(local.u)
}
output "o02" {
  value = "x-${local.u}"
}
output "o03" {
  value = startswith("x-${local.u}", "x-")
}
output "o04" {
  value = startswith("x-${local.u}", "y")
}
output "o05" {
  value = length("ab${local.u}") > 1
}
output "o06" {
  value = format("id=%s", local.u)
}
output "o07" {
  value = split("-", local.u)[0]
}
output "o08" {
  value = replace(local.u, "-", "")
}
output "o09" {
  value = coalesce("given", local.u)
}
output "o10" {
  value = join(",", ["a", local.u])
}
output "o11" {
  value = substr(local.u, 0, 3) != null
}
output "o12" {
  value = trimprefix(local.u, "a") == null
}

resource "terraform_data" "u" {
  input = "later"
}
locals {
  u = terraform_data.u.output
}
output "o01" {
  value = max([1, 5, 3]...)
}
output "o02" {
  value = merge([{a = 1}, {b = 2}]...)
}
output "o03" {
  value = format("%s-%s", ["a", "b"]...)
}
output "o04" {
  value = concat([["a"], ["b"]]...)
}
output "o05" {
  value = min(toset([3, 2])...)
}
output "o06" {
  value = join("-", ["a", "b"], [["c"]]...)
}
output "o07" {
  value = coalesce([null, "x"]...)
}
output "o08" {
  value = cidrsubnets("10.0.0.0/8", [4, 4]...)
}
output "o09" {
  value = setunion([[1], [2]]...)
}
output "o10" {
  value = can(max([]...))
}
output "o11" {
  value = can(max("a"...))
}
output "o12" {
  value = can(max(null...))
}

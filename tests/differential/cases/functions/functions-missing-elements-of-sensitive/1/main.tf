variable "s" {
  type      = list(string)
  default   = ["a"]
  sensitive = true
}
variable "m" {
  type      = map(string)
  default   = { a = "x" }
  sensitive = true
}
output "o01" {
  value = can(var.s[9])
}
output "o02" {
  value = try(var.m["zz"], "none")
}
output "o03" {
  value = try(var.s[-1], "none")
}
output "o04" {
  value = can(var.m.nope)
}

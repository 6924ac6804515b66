locals {
  t = file("a.yaml")
}
output "o01" {
  value = yamldecode(local.t)
}
output "o02" {
  value = yamldecode("|\n a")
}
output "o03" {
  value = yamldecode("x: |-\n  yes")
}
output "o04" {
  value = yamldecode("a: >\n  x\n  y")
}

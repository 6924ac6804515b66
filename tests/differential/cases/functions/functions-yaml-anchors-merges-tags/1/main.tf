locals {
  t = file("a.yaml")
}
output "o01" {
  value = yamldecode(local.t)
}

locals {
  x = local.y
  y = local.x
}

output "o" {
  value = local.x
}

locals {
  k = "a"
}
output "ambiguous" { value = { local.k = 1 } }

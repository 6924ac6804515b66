locals {
  t = timestamp()
}
resource "terraform_data" "a" {
  input = local.t
}
output "u" {
  value = uuid()
}
output "p" {
  value = plantimestamp()
}

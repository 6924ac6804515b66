resource "terraform_data" "r" {
  count = terraform.applying ? 1 : 0
  input = terraform.applying
}
output "o" {
  value = terraform.applying
}
output "wrong" {
  value = terraform.planning
}

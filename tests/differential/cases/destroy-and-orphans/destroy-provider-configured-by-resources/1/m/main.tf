resource "terraform_data" "user" {
  input = "user"
}
output "user" {
  value = terraform_data.user.output
}

resource "terraform_data" "old" {
  input = "x"
}
output "id" {
  value = terraform_data.old.id
}

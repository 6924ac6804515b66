resource "terraform_data" "behind" {}
resource "terraform_data" "beside" {}
output "id" {
  value = terraform_data.behind.id
}
output "fixed" {
  value = 1
  precondition {
    condition     = terraform_data.beside.id != ""
    error_message = "Empty."
  }
}

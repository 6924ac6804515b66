resource "terraform_data" "base" {}
resource "terraform_data" "middle" {
  count = 2
  input = terraform_data.base.id
  provisioner "local-exec" {
    when    = destroy
    command = "exit ${count.index}"
  }
}
resource "terraform_data" "top" {
  input = terraform_data.middle[*].id
}
resource "terraform_data" "beside" {}
output "o" {
  value = terraform_data.base.id
}

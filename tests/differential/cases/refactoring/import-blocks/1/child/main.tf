resource "terraform_data" "inner" {
}

output "id" {
  value = terraform_data.inner.id
}

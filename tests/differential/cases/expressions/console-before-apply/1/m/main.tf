resource "terraform_data" "inner" {
  count = 2
}

output "ids" {
  value = terraform_data.inner[*].id
}

output "number" {
  value = 5
}

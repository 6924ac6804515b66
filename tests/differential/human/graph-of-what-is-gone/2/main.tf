resource "terraform_data" "keep" {
  input = 1
  count = 1
}

output "u" {
  value = 1
}

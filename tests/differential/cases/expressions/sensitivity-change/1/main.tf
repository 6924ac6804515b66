resource "terraform_data" "r" {
  input = "value"
}

output "o" {
  value = "value"
}

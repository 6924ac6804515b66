resource "terraform_data" "r" {
  input = sensitive("value")
}

output "o" {
  value     = "value"
  sensitive = true
}

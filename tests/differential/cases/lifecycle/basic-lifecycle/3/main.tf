resource "terraform_data" "greeting" {
  input = "good morning"
}

output "greeting" {
  value = terraform_data.greeting.output
}

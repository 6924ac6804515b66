resource "terraform_data" "hello" {
  input = "hello"
}

output "greeting" {
  value = terraform_data.hello.output
}

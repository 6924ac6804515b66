resource "terraform_data" "s" {
  count = 2
  input = "s${count.index}"
}
output "names" {
  value = terraform_data.s[*].output
}

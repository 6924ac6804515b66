resource "terraform_data" "r" {
  input = { a = 1, b = "x", s = sensitive("s"), l = [1, 2] }
}
output "o" {
  value = terraform_data.r.id
}

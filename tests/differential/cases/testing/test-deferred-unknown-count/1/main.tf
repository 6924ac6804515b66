variable "n" {
  type = list(string)
}
resource "terraform_data" "a" {
  for_each = toset(var.n)
  input    = each.key
}
output "all" {
  value = { for k, v in terraform_data.a : k => v.output }
}

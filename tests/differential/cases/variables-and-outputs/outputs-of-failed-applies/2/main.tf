variable "v" {
  default = 2
}
resource "terraform_data" "fails" {
  input = var.v == 1 ? "fine" : file(terraform_data.works.id)
}
resource "terraform_data" "works" {
  triggers_replace = var.v
}
output "of_failing" {
  value = terraform_data.fails.output
}
output "of_working" {
  value = terraform_data.works.id
}
output "constant" {
  value = var.v
}
output "added" {
  value = 1
}

moved {
  from = null_resource.a
  to   = terraform_data.a
}
resource "terraform_data" "a" {
  triggers_replace = { x = "1" }
}
moved {
  from = null_resource.b
  to   = terraform_data.b
}
resource "terraform_data" "b" {
}
resource "terraform_data" "uses" {
  input = terraform_data.a.id
}
resource "random_pet" "p" {
  length = 3
}
resource "null_resource" "keep" {
}

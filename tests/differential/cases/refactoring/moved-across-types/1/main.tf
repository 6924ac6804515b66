resource "null_resource" "a" {
  triggers = { x = 1 }
}
resource "null_resource" "b" {
}
resource "terraform_data" "uses" {
  input = null_resource.a.id
}
resource "random_pet" "p" {
  length = 3
}
resource "null_resource" "keep" {
}

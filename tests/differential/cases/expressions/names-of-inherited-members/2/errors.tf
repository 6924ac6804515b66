resource "terraform_constructor" "x" {}
resource "terraform_data" "q" {
  constructor = 1
  toString {}
}
output "f" {
  value = provider::terraform::constructor("x")
}
output "g" {
  value = toString(1)
}
output "h" {
  value = constructor
}

resource "null_resource" "in" {
  triggers = { a = "b" }
}

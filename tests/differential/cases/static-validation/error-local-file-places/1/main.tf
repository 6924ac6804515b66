variable "f" {}
resource "local_file" "x" {
  filename = var.f
  content = "x"
}

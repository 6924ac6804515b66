variable "v" {}

resource "local_file" "x" {
  filename = "${path.root}/${var.v}.txt"
  content  = var.v
}

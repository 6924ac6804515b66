variable "v" {
  type    = number
  default = 1
}
resource "terraform_data" "r" {
  triggers_replace = var.v
  provisioner "local-exec" {
    command = "exit ${var.v == 2 ? 7 : 0}"
  }
  lifecycle {
    create_before_destroy = true
  }
}
resource "terraform_data" "reader" {
  input = terraform_data.r.id
}

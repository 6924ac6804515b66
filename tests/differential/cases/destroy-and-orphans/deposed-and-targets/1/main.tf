variable "v" {
  default = 1
}

resource "terraform_data" "a" {
  triggers_replace = var.v
  lifecycle {
    create_before_destroy = true
  }
  provisioner "local-exec" {
    command = "test ! -f locked"
  }
}

resource "terraform_data" "b" {
  input = terraform_data.a.id
}

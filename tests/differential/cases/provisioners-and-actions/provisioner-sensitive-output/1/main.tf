variable "secret" {
  default   = "hunter2"
  sensitive = true
}

resource "terraform_data" "a" {
  provisioner "local-exec" {
    command = "echo ${var.secret}"
  }

  provisioner "local-exec" {
    command     = "echo done"
    environment = { SECRET = var.secret }
  }
}

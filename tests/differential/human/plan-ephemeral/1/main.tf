variable "token" {
  type      = string
  ephemeral = true
  default   = "t"
}
ephemeral "random_password" "p" {
  length = 12
}
locals {
  both = "${var.token}-${ephemeral.random_password.p.result}"
}
resource "terraform_data" "a" {
  input = ephemeralasnull(local.both)
  provisioner "local-exec" {
    command = "test -n \"$SECRET\" && echo done"
    environment = {
      SECRET = local.both
    }
  }
}

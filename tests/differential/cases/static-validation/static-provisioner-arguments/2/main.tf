resource "terraform_data" "a" {
  provisioner "local-exec" {
    command = "x"
    when = destroy
    connection { host = var.x }
  }
  connection {
    host = var.x
  }
}
resource "terraform_data" "b" {
  provisioner "local-exec" {
    command = "x"
    connection { }
  }
  provisioner "local-exec" {
    command = self.nope
    on_failure = fail
  }
}

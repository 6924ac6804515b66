resource "terraform_data" "a" {
  provisioner "local-exec" {
    when = create
    on_failure = nope
  }
  provisioner "local-exec" {
    when = "destroy"
    on_failure = "continue"
    command = self.id
  }
  provisioner "local-exec" {
    when = nope
    command = "x"
    connection {
      host = "x"
    }
    connection {
      host = "y"
    }
  }
  provisioner "local-exec" {
    when = destroy
    command = terraform_data.b.id
  }
  provisioner "local-exec" {
    when = destroy
    command = "${var.x} ${local.x} ${each.key} ${count.index} ${path.module} ${terraform.workspace} ${self.id}"
  }
  provisioner "nope" {
    foo = 1
  }
  provisioner "chef" {
  }
  provisioner "puppet" {}
  provisioner "habitat" {}
  provisioner "salt-masterless" {}
  provisioner {}
  provisioner "a" "b" {}
  provisioner "local-exec" {
    command = "x"
    lifecycle {}
    foo {}
    bar = 1
    depends_on = []
  }
  provisioner "file" {}
  provisioner "remote-exec" {}
  provisioner "file" {
    source = "x"
    content = "y"
    destination = 1
  }
  connection {
    host = self.id
    tpe = "ssh"
    port = "x"
  }
  connection {
    host = "x"
  }
}
resource "terraform_data" "b" {}

resource "terraform_data" "a" {
  provisioner "local-exec" {
    command = []
    environment = "x"
    interpreter = {}
    quiet = "maybe"
    working_dir = null
  }
  provisioner "remote-exec" {
    inline = "x"
    script = "y"
    scripts = ["z"]
  }
  connection {
    host = "x"
    agent = "x"
    timeout = []
    bastion_port = {}
    type = "telnet"
  }
  provisioner "local-exec" {
    command = "x"
    when = destroy
    connection { host = terraform_data.b.id }
  }
  connection2 {}
}

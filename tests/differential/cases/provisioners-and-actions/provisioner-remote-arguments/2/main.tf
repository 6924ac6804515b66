resource "terraform_data" "none" {
  provisioner "remote-exec" {
    connection {
      host = "127.0.0.1"
    }
  }
  provisioner "file" {
    destination = "/nowhere"
  }
}

resource "terraform_data" "both" {
  count = 1
  connection {
    host = "127.0.0.1"
  }
  provisioner "remote-exec" {
    when   = destroy
    inline = ["true"]
    script = "there-is-none.sh"
  }
  provisioner "remote-exec" {
    script  = "there-is-none.sh"
    scripts = []
  }
  provisioner "file" {
    source      = "there-is-none"
    content     = ""
    destination = "/nowhere"
  }
}

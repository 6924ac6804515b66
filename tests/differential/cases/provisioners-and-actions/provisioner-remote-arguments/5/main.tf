resource "terraform_data" "a" {
  provisioner "remote-exec" {
    inline = ["true"]
  }
}

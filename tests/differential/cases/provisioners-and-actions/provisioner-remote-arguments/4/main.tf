resource "terraform_data" "wrong" {
  connection {
    user = "nobody"
  }
  provisioner "remote-exec" {
    inline  = { a = "b" }
    unknown = 1
  }
  provisioner "file" {
    content = [1]
  }
}

resource "terraform_data" "connection" {
  provisioner "remote-exec" {
    inline = ["true"]
    connection {
      host  = "127.0.0.1"
      port  = "twenty-two"
      shell = "bash"
    }
  }
}

resource "terraform_data" "empty" {
  provisioner "local-exec" {
    command = ""
  }
}

resource "terraform_data" "interpreter" {
  provisioner "local-exec" {
    command     = "x"
    interpreter = ["no-such-program-here"]
  }
}

resource "terraform_data" "path" {
  provisioner "local-exec" {
    command     = "x"
    interpreter = ["/no/such/program"]
  }
}

resource "terraform_data" "directory" {
  provisioner "local-exec" {
    command     = "pwd"
    working_dir = "/no/such/directory"
  }
}

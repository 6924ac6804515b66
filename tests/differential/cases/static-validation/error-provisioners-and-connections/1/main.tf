resource "terraform_data" "r" {
  provisioner "local-exec" {
    comand = "true"
  }
}

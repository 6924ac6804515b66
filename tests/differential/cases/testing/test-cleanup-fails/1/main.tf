variable "fail" {
  default = true
}
resource "terraform_data" "stays" {
  count = 2
  input = "a"
  provisioner "local-exec" {
    when    = destroy
    command = "exit 3"
  }
}

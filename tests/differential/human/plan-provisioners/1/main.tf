resource "terraform_data" "a" {
  provisioner "local-exec" {
    command = "echo made; echo and more"
  }
  provisioner "local-exec" {
    when    = destroy
    command = "echo going"
  }
  provisioner "local-exec" {
    command    = "echo trouble; exit 3"
    on_failure = continue
  }
}

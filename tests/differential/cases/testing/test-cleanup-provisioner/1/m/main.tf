resource "terraform_data" "fails" {
  for_each = toset(["k"])
  provisioner "local-exec" {
    when    = destroy
    command = "exit 8"
  }
}

resource "terraform_data" "fails" {
  provisioner "local-exec" {
    when    = destroy
    command = "echo ${self.id == ""}; exit 5"
  }
}

resource "terraform_data" "continues" {
  provisioner "local-exec" {
    when       = destroy
    command    = "exit 6"
    on_failure = continue
  }
}

resource "terraform_data" "dependent" {
  input = terraform_data.fails.id
}

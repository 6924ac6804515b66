resource "terraform_data" "fails" {
  provisioner "local-exec" {
    command = "echo before; exit 3"
  }

  provisioner "local-exec" {
    command = "echo never > never.txt"
  }
}

resource "terraform_data" "continues" {
  provisioner "local-exec" {
    command    = "exit 4"
    on_failure = continue
  }

  provisioner "local-exec" {
    command = "true"
  }
}

resource "terraform_data" "dependent" {
  input = terraform_data.fails.id
}

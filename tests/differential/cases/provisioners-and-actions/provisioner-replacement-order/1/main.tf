resource "terraform_data" "first" {
  triggers_replace = 1

  provisioner "local-exec" {
    when    = destroy
    command = "echo first >> log.txt"
  }
}

resource "terraform_data" "late" {
  triggers_replace = 1

  lifecycle {
    create_before_destroy = true
  }

  provisioner "local-exec" {
    when    = destroy
    command = "echo late >> log.txt"
  }
}

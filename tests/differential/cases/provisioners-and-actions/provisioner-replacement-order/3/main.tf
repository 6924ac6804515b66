removed {
  from = terraform_data.first

  lifecycle {
    destroy = true
  }

  provisioner "local-exec" {
    when    = destroy
    command = "echo removed ${self.triggers_replace} >> log.txt"
  }
}

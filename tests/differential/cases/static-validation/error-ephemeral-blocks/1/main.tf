ephemeral "random_password" "provisioned" {
  length = 4
  provisioner "local-exec" {
    command = "true"
  }
  connection {
    host = "h"
  }
}

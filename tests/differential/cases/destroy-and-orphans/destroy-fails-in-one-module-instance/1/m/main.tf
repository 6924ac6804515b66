variable "command" {}
variable "base" {}

resource "terraform_data" "network" {
  input = var.base
}

module "n" {
  source  = "./n"
  count   = 2
  network = terraform_data.network.id
}

resource "terraform_data" "disk" {
  count = 2
  input = terraform_data.network.id
}

resource "terraform_data" "machine" {
  count = 2
  input = var.command

  triggers_replace = [terraform_data.disk[count.index].id]

  provisioner "local-exec" {
    when    = destroy
    command = self.input
  }
}

resource "terraform_data" "alarm" {
  input = terraform_data.machine[0].id
}

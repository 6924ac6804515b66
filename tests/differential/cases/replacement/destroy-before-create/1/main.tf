variable "v" {}

resource "terraform_data" "bottom" {
  triggers_replace = var.v
}

resource "terraform_data" "middle" {
  triggers_replace = terraform_data.bottom.id
}

resource "terraform_data" "top" {
  triggers_replace = [terraform_data.middle.id]
}

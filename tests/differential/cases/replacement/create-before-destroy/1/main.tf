variable "v" {}

resource "terraform_data" "below" {
  triggers_replace = var.v
}

resource "terraform_data" "cbd" {
  triggers_replace = terraform_data.below.id

  lifecycle {
    create_before_destroy = true
  }
}

resource "terraform_data" "above" {
  input = terraform_data.cbd.id
}

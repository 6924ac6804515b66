output "o" {
  value     = 1
  sensetive = true
}

variable "v" {
  defualt = 1
}

locals {
  a = 1
}

resource "terraform_data" "r" {
  lifecycle {
    create_before_destory = true
  }
}

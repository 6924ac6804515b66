moved {
  from = terraform_data.c[0]
  to   = terraform_data.z
}
removed {
  from = terraform_data.c
  lifecycle {
    destroy = false
  }
}
resource "terraform_data" "z" {}

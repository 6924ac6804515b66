moved {
  from = terraform_data.a
  to   = terraform_data.x
}
removed {
  from = terraform_data.x
  lifecycle {
    destroy = false
  }
}
moved {
  from = terraform_data.b
  to   = terraform_data.y
}
removed {
  from = terraform_data.b
  lifecycle {
    destroy = false
  }
}
resource "terraform_data" "y" {}
moved {
  from = terraform_data.c[0]
  to   = terraform_data.z
}
removed {
  from = terraform_data.c
  lifecycle {
    destroy = true
  }
}
resource "terraform_data" "z" {}

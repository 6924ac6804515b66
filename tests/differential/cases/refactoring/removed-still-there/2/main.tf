removed {
  from = terraform_data.a
  lifecycle { destroy = false }
}
removed {
  from = terraform_data.a
  lifecycle { destroy = true }
}
removed {
  from = module.x
  lifecycle { destroy = true }
}
moved {
  from = terraform_data.a
  to = terraform_data.b
}
resource "terraform_data" "b" {}

removed {
  from = module.low
  lifecycle {
    destroy = false
  }
}
removed {
  from = terraform_data.own
  lifecycle {
    destroy = true
  }
}
resource "terraform_data" "kept" {}

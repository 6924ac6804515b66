removed {
  from = module.forgotten
  lifecycle {
    destroy = false
  }
}
removed {
  from = module.mixed
  lifecycle {
    destroy = false
  }
}
removed {
  from = module.mixed.terraform_data.destroyed
  lifecycle {
    destroy = true
  }
}
resource "terraform_data" "reader" {
  input = 1
}

removed {
  from = terraform_data.kept
  lifecycle {
    destroy = false
  }
}
removed {
  from = terraform_data.counted
  lifecycle {
    destroy = false
  }
}
removed {
  from = terraform_data.destroyed
  lifecycle {
    destroy = true
  }
}
removed {
  from = module.m
  lifecycle {
    destroy = false
  }
}

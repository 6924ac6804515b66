removed {
  from = terraform_data.forgotten
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
resource "terraform_data" "same" {
}
resource "terraform_data" "changes" {
  input = []
}

removed {
  from = terraform_data.protected
  lifecycle {
    destroy = true
  }
}
resource "terraform_data" "free" {
  input = 2
}

resource "terraform_data" "tainted" {
  lifecycle {
    destroy = false
  }
}

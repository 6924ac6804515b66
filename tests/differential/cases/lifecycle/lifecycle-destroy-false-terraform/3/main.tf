resource "terraform_data" "tainted" {
  lifecycle {
    destroy = false
  }
}
resource "terraform_data" "counted" {
  count = 1
  lifecycle {
    destroy = false
  }
}

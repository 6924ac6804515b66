resource "terraform_data" "counted" {
  count = 1
}
resource "terraform_data" "tainted" {
  lifecycle {
    create_before_destroy = true
  }
}

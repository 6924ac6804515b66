resource "terraform_data" "tainted" {
  lifecycle {
    destroy = false
  }
}
resource "terraform_data" "counted" {
  count = 2
  lifecycle {
    destroy = false
  }
}
resource "terraform_data" "gone" {
  lifecycle {
    destroy = false
  }
}
resource "terraform_data" "true" {
  lifecycle {
    destroy = "true"
  }
}

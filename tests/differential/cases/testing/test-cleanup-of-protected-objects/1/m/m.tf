resource "terraform_data" "below" {
  lifecycle {
    prevent_destroy = true
  }
}

resource "terraform_data" "p" {
  lifecycle {
    prevent_destroy = true
  }
}

resource "terraform_data" "p" {
  count            = 2
  triggers_replace = 1
  lifecycle {
    prevent_destroy = true
  }
}

resource "terraform_data" "beside" {
  count = 2
}

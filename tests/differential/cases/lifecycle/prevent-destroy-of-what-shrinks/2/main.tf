resource "terraform_data" "p" {
  count            = 1
  triggers_replace = 2
  lifecycle {
    prevent_destroy = true
  }
}

resource "terraform_data" "beside" {
  count = 1
}

resource "terraform_data" "precious" {
  input = "gold"
  lifecycle {
    prevent_destroy = true
  }
}

resource "terraform_data" "reader" {
  input = terraform_data.precious.output
}

resource "terraform_data" "in" {
  input = "in"
}

resource "terraform_data" "inside" {
  input = "into module"
}

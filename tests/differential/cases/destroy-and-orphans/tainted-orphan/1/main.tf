resource "terraform_data" "gone" {
  input = "g"
}

resource "terraform_data" "stays" {
  input = "s"
}

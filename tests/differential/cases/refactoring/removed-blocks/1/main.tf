resource "terraform_data" "forgotten" {
  input = "f"
}

resource "terraform_data" "destroyed" {
  input = "d"
}

resource "terraform_data" "ephemeral" {
  input = "input"
}

resource "terraform_data" "without" {
  store {
    input = null
  }
}

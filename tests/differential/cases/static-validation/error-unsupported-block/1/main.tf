resource "terraform_data" "r" {
  settings {
    a = 1
  }
}

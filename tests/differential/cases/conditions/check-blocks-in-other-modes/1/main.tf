variable "ok" {
  default = false
}
resource "terraform_data" "r" {}
resource "terraform_data" "beside" {}
check "fails" {
  assert {
    condition     = var.ok
    error_message = "Not ok."
  }
  assert {
    condition     = terraform_data.r.id != ""
    error_message = "Empty."
  }
}
check "waits" {
  assert {
    condition     = terraform_data.beside.output == null
    error_message = "Something."
  }
}

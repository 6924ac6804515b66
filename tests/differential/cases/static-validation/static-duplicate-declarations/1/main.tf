resource "terraform_data" "a" {}
resource "terraform_data" "a" {}
data "terraform_remote_state" "a" { backend = "local" }
data "terraform_remote_state" "a" { backend = "local" }
check "x" {
  data "terraform_remote_state" "a" { backend = "local" }
  assert {
   condition = true
   error_message = "x"
  }
}
check "x" {
  data "terraform_remote_state" "b" { backend = "local" }
  assert {
   condition = true
   error_message = "x"
  }
}

output "o" {
  value = 1
  postcondition {
    condition     = self == 1
    error_message = "x"
  }
  precondition {
    condition = true
  }
}
resource "terraform_data" "a" {
  lifecycle {
    precondition {
      condition     = terraform_data.a.id == ""
      error_message = "e"
    }
    postcondition {
      condition     = 1 == 1
      error_message = "e"
    }
    precondition {
      condition     = path.cwd != ""
      error_message = "e"
      other         = 1
    }
  }
}
check "empty" {
}
check "two" {
  data "terraform_remote_state" "a" {
    backend = "local"
  }
  data "terraform_remote_state" "b" {
    backend = "local"
  }
  assert {
    condition     = data.terraform_remote_state.a.outputs == null
    error_message = "e"
  }
}

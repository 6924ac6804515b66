check {}
check "a" {}
check "1" {
  assert {
    condition = true
    error_message = "x"
  }
}
check "b" "c" {}
check "d" {
  foo = 1
  assert {}
  blah {}
}
check "e" {
  data "terraform_remote_state" "x" { backend = "local" }
  data "terraform_remote_state" "y" { backend = "local" }
  assert {
    condition = 1
    error_message = null
  }
}
check "f" {
  data "terraform_remote_state" "z" { 
    backend = "local"
    count = 1
    for_each = {}
    depends_on = [nope.x]
    provider = terraform
    lifecycle {
      postcondition {
        condition = true
        error_message = "x"
      }
    }
  }
  assert {
    condition = self.x && each.key && data.terraform_remote_state.x && var.nope
    error_message = local.nope
  }
  assert "x" {
    condition = true
    error_message = "x"
  }
}
output "x" { value = data.terraform_remote_state.z }
output "y" { value = check.e }

resource "terraform_data" "a" {
  lifecycle {
    precondition {
      condition     = self.input == null
      error_message = "e"
    }
    postcondition {
      condition     = each.key == self.input
      error_message = "${var.none} ${self.nothing}"
    }
  }
}
check "c" {
  data "terraform_remote_state" "scoped" {
    backend  = "local"
    count    = 1
    for_each = {}
    lifecycle {
      precondition {
        condition     = path.cwd != ""
        error_message = "e"
      }
    }
  }
  assert {
    condition     = self.x
    error_message = "e"
  }
}

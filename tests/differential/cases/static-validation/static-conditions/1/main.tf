resource "terraform_data" "a" {
  lifecycle {
    precondition {
      condition = self.id == "x"
      error_message = "x"
    }
    precondition {
      condition = terraform_data.a.id == "x"
      error_message = "x"
    }
    postcondition {
      condition = true
      error_message = "x"
    }
    postcondition {
      condition = each.key == 1 || count.index == 1
      error_message = self.nope
    }
    postcondition {
      condition = terraform_data.a.id == "x"
      error_message = "x"
    }
    precondition {
      condition = null
      error_message = 5
      foo = 2
    }
    precondition "x" {
      condition = "x"
      error_message = []
    }
  }
}
data "terraform_remote_state" "b" {
  backend = "local"
  lifecycle {
    create_before_destroy = true
    ignore_changes = []
    replace_triggered_by = []
    postcondition {
      condition = self.x
      error_message = "x"
    }
  }
}

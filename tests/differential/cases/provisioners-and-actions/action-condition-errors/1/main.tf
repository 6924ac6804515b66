action "local_command" "hi" {
  config {
    command   = "echo"
    arguments = ["hi"]
  }
}
resource "terraform_data" "x" {
  lifecycle {
    action_trigger {
      events    = [before_create]
      condition = self.id != ""
      actions   = [action.local_command.hi]
    }
    action_trigger {
      events    = [before_destroy]
      condition = true
      actions   = [action.local_command.hi]
    }
    action_trigger {
      events    = [after_create]
      condition = terraform_data.x.id != ""
      actions   = [action.local_command.hi]
    }
  }
}

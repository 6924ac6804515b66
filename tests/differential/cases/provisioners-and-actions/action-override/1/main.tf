action "local_command" "hi" {
  config {
    command   = "echo"
    arguments = ["hi"]
  }
}
resource "terraform_data" "x" {
  lifecycle {
    action_trigger {
      events  = [before_create]
      actions = [action.local_command.hi]
    }
  }
}

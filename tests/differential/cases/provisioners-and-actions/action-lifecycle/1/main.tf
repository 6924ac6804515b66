variable "word" {}

action "local_command" "say" {
  for_each = toset(["create", "update", "destroy"])
  config {
    command   = "sh"
    arguments = ["-c", "echo ${each.key} ${caller.input} >> log.txt"]
  }
}

resource "terraform_data" "x" {
  input = var.word
  lifecycle {
    action_trigger {
      events  = [before_create, after_create]
      actions = [action.local_command.say["create"]]
    }
    action_trigger {
      events    = [after_update]
      condition = self.output != "quiet"
      actions   = [action.local_command.say["update"]]
    }
    action_trigger {
      events  = [before_destroy]
      actions = [action.local_command.say["destroy"]]
    }
  }
}

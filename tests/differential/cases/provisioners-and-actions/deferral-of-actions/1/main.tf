resource "terraform_data" "a" {
  input = 2
}

resource "terraform_data" "many" {
  count = terraform_data.a.output
}

resource "terraform_data" "behind" {
  depends_on = [terraform_data.many]
  lifecycle {
    action_trigger {
      events  = [before_create, after_create]
      actions = [action.local_command.say["b"], action.local_command.once]
    }
    action_trigger {
      events     = [after_update]
      actions    = [action.local_command.once]
      on_failure = continue
    }
  }
}

resource "terraform_data" "unknown_action" {
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.local_command.some["x1"]]
    }
  }
}

resource "terraform_data" "now" {
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.local_command.once]
    }
  }
}

action "local_command" "say" {
  for_each = toset(["a", "b"])
  config {
    command   = "true"
    arguments = [each.key]
  }
}

action "local_command" "some" {
  for_each = toset([for i in range(terraform_data.a.output) : "x${i}"])
  config {
    command   = "true"
    arguments = [each.key]
  }
}

action "local_command" "once" {
  config {
    command   = "true"
    arguments = ["once"]
  }
}

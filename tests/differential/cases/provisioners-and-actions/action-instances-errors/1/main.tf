action "local_command" "single" {
  config {
    command = "echo"
  }
}

action "local_command" "counted" {
  count = 2
  config {
    command = "echo"
  }
}

action "local_command" "keyed" {
  for_each = toset(["a"])
  config {
    command = "echo"
  }
}

resource "terraform_data" "x" {
  lifecycle {
    action_trigger {
      events = [after_create]
      actions = [
        action.local_command.single[0],
        action.local_command.counted,
        action.local_command.counted["a"],
        action.local_command.keyed,
        action.local_command.keyed[0],
      ]
    }
  }
}

resource "terraform_data" "splat" {
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.local_command.counted[*]]
    }
  }
}

resource "terraform_data" "each" {
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.local_command.keyed[each.key]]
    }
  }
}

action "local_command" "fail" {
  config {
    command   = "sh"
    arguments = ["-c", "exit 3"]
  }
}

resource "terraform_data" "x" {
  for_each = toset(["continue"])
  lifecycle {
    action_trigger {
      events     = [after_create]
      actions    = [action.local_command.fail]
      on_failure = continue
    }
  }
}

resource "terraform_data" "y" {
  depends_on = [terraform_data.x]
  lifecycle {
    action_trigger {
      events     = [after_create]
      actions    = [action.local_command.fail]
      on_failure = taint
    }
  }
}

resource "terraform_data" "z" {
  depends_on = [terraform_data.y]
}

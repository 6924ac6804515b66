action "local_command" "hi" {
  config {
    command   = "echo"
    arguments = ["hi"]
  }
}
variable "v" {}

resource "terraform_data" "events" {
  lifecycle {
    action_trigger {
      events     = [before_create, before_create, sometimes]
      actions    = [action.local_command.hi]
      on_failure = explode
    }
    action_trigger {
      events  = []
      actions = []
    }
    action_trigger {
    }
  }
}

resource "terraform_data" "references" {
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [var.v]
    }
    action_trigger {
      events  = [after_create]
      actions = [module.m.action]
    }
    action_trigger {
      events  = [after_create]
      actions = [action.local_command]
    }
    action_trigger {
      events  = [after_create]
      actions = [action.local_command.hi.command]
    }
    action_trigger {
      events  = [after_create]
      actions = [[action.local_command.hi, action.local_command.hi][0]]
    }
  }
}

data "terraform_remote_state" "d" {
  backend = "local"
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.local_command.hi]
    }
  }
}

resource "terraform_data" "depends" {
  depends_on = [action.local_command.hi]
}

ephemeral "local_command" "c" {
  command   = "sh"
  arguments = ["-c", "echo out; echo err >&2; cat"]
  stdin     = "typed"
}
ephemeral "local_command" "fails_softly" {
  command                = "sh"
  arguments              = ["-c", "echo no; exit 3"]
  allow_non_zero_exit_code = true
}
resource "terraform_data" "r" {
  input = 1
  lifecycle {
    precondition {
      condition     = ephemeral.local_command.c.stdout == "out\ntyped" && ephemeral.local_command.c.exit_code == 0
      error_message = "Other output."
    }
    precondition {
      condition     = ephemeral.local_command.fails_softly.exit_code == 3
      error_message = "Other code."
    }
  }
}

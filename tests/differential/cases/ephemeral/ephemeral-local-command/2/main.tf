ephemeral "local_command" "fails" {
  command   = "sh"
  arguments = ["-c", "echo said; echo complained >&2; exit 4"]
}
ephemeral "local_command" "missing" {
  command = "no-such-command-anywhere"
}
resource "terraform_data" "r" {
  input = 1
}

action "local_command" "say" {
  for_each = toset(["a", "b"])
  config {
    command   = "sh"
    arguments = ["-c", "echo ${each.key} >> log.txt"]
  }
}

resource "terraform_data" "x" {}

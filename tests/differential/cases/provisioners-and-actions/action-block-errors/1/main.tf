action "local_command" "1st" {
}

action "local_command" "both" {
  count    = 1
  for_each = {}
  config {
    command = "echo"
  }
}

action "local_command" "twice" {
  config {
    command = "echo"
  }
  config {
    command = "echo"
  }
}

action "local_command" "other" {
  depends_on = []
}

action "local_command" "other" {
}

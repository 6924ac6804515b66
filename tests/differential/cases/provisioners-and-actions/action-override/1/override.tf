action "local_command" "hi" {
  config {
    comand = "echo"
  }
}

action "local_command" "none" {
}

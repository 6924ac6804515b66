action "local_command" "lone" {
  config {
    command = caller.id
  }
}

action "local_command" "faulty" {
  config {
    comand = "echo"
  }
}

output "value" {
  value = action.local_command.lone
}

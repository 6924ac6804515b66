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

action "local_command" "valid" {
  config {
    command = "true"
  }
}

output "value" {
  value = action.local_command.valid
}

output "c" { precondition { condition = true } }

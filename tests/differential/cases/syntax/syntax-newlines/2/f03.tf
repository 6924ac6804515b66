output "d" { value = 1 precondition {} }

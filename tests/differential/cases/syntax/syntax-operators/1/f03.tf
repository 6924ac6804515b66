output "d" { value = true ? 1 }

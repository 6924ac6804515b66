output "d" { value = `abc` }

output "b" { value = }

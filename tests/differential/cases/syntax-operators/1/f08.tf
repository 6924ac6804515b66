output "i" { value = }

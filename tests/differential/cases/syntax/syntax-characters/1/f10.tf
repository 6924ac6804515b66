output "g" { value = 2 ** 3 }

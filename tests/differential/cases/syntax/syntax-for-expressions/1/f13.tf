output "n" { value = [for x in [] x] }

output "b" { value = a.* }

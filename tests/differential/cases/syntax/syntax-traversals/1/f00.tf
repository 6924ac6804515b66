output "a" { value = a. }

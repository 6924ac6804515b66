output "k" { value = () }

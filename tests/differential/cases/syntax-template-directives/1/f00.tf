output "a" { value = "${}" }

output "b" { value = "${1 2}" }

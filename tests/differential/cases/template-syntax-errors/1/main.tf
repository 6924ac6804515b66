output "a" { value = "${" }

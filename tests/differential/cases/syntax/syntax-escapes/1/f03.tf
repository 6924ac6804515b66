output "d" { value = "\x41" }

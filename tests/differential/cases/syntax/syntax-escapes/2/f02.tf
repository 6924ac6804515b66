output "c" { value = "\uD800" }

output "h" { value = {"a" "b"} }

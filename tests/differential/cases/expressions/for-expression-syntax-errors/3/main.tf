output "a" { value = { for x in [1] : x } }

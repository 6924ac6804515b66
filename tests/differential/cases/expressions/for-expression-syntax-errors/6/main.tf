output "a" { value = [for 1 in [1] : x] }

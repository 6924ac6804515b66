output "a" { value = [for x of [1] : x] }

output "k" { value = [for x of [] : x] }

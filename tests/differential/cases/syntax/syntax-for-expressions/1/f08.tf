output "i" { value = [for x in [] : x...] }

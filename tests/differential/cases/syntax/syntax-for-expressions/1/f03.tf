output "d" { value = [for x, y, z in [] : x] }

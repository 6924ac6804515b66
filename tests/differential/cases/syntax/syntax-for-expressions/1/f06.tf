output "g" { value = [for x in [] : x => x] }

output "h" { value = [for x in [] : x if] }

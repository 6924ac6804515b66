output "m" { value = [for x in [] : x ] ] }

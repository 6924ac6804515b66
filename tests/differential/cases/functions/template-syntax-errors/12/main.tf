output "a" { value = "line
break" }

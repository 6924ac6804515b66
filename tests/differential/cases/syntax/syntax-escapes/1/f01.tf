output "b" { value = "\u12" }

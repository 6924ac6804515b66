output "out" { value = "over ${var.in}" }

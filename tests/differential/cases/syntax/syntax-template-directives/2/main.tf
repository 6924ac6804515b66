output "a" { value = "%{ if true " }
output "b" { value = "x" }

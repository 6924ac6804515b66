output "x" { value = tomap({ a = 1 }) }
output "y" { 
  value = "s"
  sensitive = true 
}

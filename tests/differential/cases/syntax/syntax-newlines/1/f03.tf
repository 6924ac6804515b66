output "c" { 

variable "x" {
  default = 
}

output "o" {
  value = var.x +
}

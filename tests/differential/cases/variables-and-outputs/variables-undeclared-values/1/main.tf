variable "real" {
  default = 1
}
output "real" {
  value = var.real
}

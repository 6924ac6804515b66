variable "described" {
  type        = string
  description = "What this is for"
}
output "o" {
  value = var.described
}

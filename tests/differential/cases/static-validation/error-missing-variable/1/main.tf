variable "needed" {
  type        = string
  description = "What is needed"
}

variable "also_needed" {}

output "o" {
  value = var.needed
}

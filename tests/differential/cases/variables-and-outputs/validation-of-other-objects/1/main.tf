variable "name" {
  default = "good"
  validation {
    condition     = contains(local.names, var.name)
    error_message = "${var.name} is none of ${join(", ", local.names)}."
  }
}
variable "size" {
  type    = number
  default = 1
  validation {
    condition     = var.size <= var.limit
    error_message = "At most ${var.limit}."
  }
  validation {
    condition     = var.size <= module.m.limit
    error_message = "Module: at most ${module.m.limit}."
  }
}
variable "limit" {
  default = 2
}
variable "late" {
  default = "same"
  validation {
    condition     = terraform_data.late.output == var.late
    error_message = "It is ${terraform_data.late.output}."
  }
}
locals {
  names = ["good", "better"]
}
resource "terraform_data" "late" {
  input = "same"
}
module "m" {
  source = "./m"
}
output "late" {
  value = var.late
}
output "size" {
  value = var.size
}

variable "v" {
  default = "z_override.tf"
}

output "v" {
  value = "${var.v} in an overridden output"
}

variable "value" {}
variable "kept" {}
output "value" {
  value = "${var.value} ${var.kept}"
}

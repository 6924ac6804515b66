variable "described" {
  type        = string
  description = "What this is for"
}
variable "plain" {}
output "o" {
  value = "${var.described} ${var.plain}"
}

variable "v0" {
  default = "default"
}
variable "v1" {
  default = "default"
}
variable "v2" {
  default = "default"
}
variable "v3" {
  default = "default"
}
variable "v4" {
  default = "default"
}
variable "v5" {
  default = "default"
}
variable "v6" {
  default = "default"
}
variable "v7" {
  default = "default"
}
output "all" {
  value = [var.v0, var.v1, var.v2, var.v3, var.v4, var.v5, var.v6, var.v7]
}

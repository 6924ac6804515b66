variable "env" { type = string }
variable "list" { type = list(string) }
variable "text" { type = string }
variable "both" {}
variable "auto" { default = "none" }
variable "tfvars" { default = "none" }
variable "json" { default = "none" }
variable "order" { default = "none" }
variable "map" {
  type    = map(string)
  default = {}
}
variable "object" {
  type    = any
  default = null
}
output "all" { value = [var.env, var.list, var.text, var.both, var.auto, var.tfvars, var.json, var.order, var.map, var.object] }

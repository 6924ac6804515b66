variable "a" {}
variable "b" {
  type        = list(string)
  description = "A list."
}
variable "c" { type = string }
variable "d" { type = number }
variable "e" {
  sensitive = true
}
module "m" {
  source = "./m"
}
output "c" { value = var.c }

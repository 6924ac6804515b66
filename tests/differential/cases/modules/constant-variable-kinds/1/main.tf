variable "a" {
  type = string
}

variable "n" {
  type    = number
  default = 1
}

module "m" {
  source = "./${var.a}"
  count  = var.n
}

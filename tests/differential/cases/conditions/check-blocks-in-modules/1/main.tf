variable "n" {
  default = 3
}
module "m" {
  source = "./m"
  count  = var.n
  i      = count.index
}

variable "needed" {
  type = string
}
variable "number" {
  type    = number
  default = 1
}

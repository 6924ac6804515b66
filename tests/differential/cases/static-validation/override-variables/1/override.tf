variable "v" {
  default = null
}
variable "w" {
  type = number
}

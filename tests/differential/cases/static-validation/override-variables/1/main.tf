variable "v" {
  type = number
  default = 1
  nullable = false
}
variable "w" {
  default = "x"
}

variable "number" {
  type    = number
  default = "x"
}
variable "bad_type" {
  type = strng
}
variable "bad_constructor" {
  type = lst(string)
}
variable "no_element" {
  type = list
}
variable "not_null" {
  type     = string
  default  = null
  nullable = false
}
variable "reference" {
  default = local.x
}

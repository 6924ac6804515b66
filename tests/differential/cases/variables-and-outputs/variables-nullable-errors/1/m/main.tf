variable "a" { nullable = false }
variable "b" {
  nullable = false
  type     = string
}

variable "x" {
  type     = string
  nullable = false
}

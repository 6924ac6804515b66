n = 1
n = 2
block {
  a = 1
}
variable "x" {}

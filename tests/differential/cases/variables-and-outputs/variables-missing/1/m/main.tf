variable "inner" {}

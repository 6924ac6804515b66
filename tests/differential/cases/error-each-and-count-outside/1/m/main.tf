variable "in" {}

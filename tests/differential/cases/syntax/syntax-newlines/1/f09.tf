variable "y" {}variable "z" {}

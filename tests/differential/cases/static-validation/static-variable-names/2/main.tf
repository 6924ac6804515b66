variable {}
variable "a" "b" {}
variable x {}

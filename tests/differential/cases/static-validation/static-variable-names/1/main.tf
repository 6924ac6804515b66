variable "source" {}
variable "version" {}
variable "providers" {}
variable "count" {}
variable "for_each" {}
variable "lifecycle" {}
variable "depends_on" {}
variable "locals" {}
variable "1x" {}
variable "a b" {}
variable "" {}
variable "ok-1" {}

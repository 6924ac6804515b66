variable "a" {
  nullable = false
  default  = null
}
variable "b" {
  nullable = "maybe"
}
variable "c" {
  ephemeral = null
}
output "d" {
  value     = 1
  ephemeral = true
}

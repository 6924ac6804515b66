variable "in" {
  type       = string
  default    = null
  deprecated = "in is gone"
}
output "old" {
  value      = "old"
  deprecated = "old is old"
}
output "n" {
  value      = 1
  deprecated = "n is old"
}
output "fine" {
  value = var.in == null ? "fine" : var.in
}

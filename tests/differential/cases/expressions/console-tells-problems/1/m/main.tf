variable "x" {}
output "o" {
  value = nope.child
}

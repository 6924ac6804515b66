variable "kept" {
  default = "default"
}
variable "replaced" {
  default  = "default"
  nullable = false
}
variable "wrapped" {
  type     = object({ a = optional(string, "x"), b = optional(number) })
  nullable = false
}
variable "secret" {
  sensitive = true
}
variable "passing" {
  ephemeral = true
}
output "kept" {
  value = var.kept
}
output "replaced" {
  value = var.replaced
}
output "wrapped" {
  value = var.wrapped
}
output "secret" {
  value = var.secret
}
output "length" {
  value     = length(var.passing)
  ephemeral = true
}

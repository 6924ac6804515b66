output "o" {
  value = 1
  precondition {
    condition     = 1 > length(path.module)
    error_message = "module says no"
  }
}
variable "o" {
  default = 1
}

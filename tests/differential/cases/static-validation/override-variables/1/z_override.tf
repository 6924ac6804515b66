variable "w" {
  type = bool
  default = "maybe"
  validation {
    condition = true
    error_message = "x"
  }
}

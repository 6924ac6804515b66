variable "token" {
  type      = string
  ephemeral = true
}
variable "optional" {
  type      = string
  default   = null
  ephemeral = true
}
variable "plain" {
  type    = string
  default = "d"
}
output "o" {
  value = var.plain
  precondition {
    condition     = startswith(var.token, "o")
    error_message = "The token must begin with o."
  }
}

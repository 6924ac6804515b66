variable "plain" {}
variable "nested" {}
variable "typed" {
  type = list(string)
}
variable "ok" {
  ephemeral = true
}

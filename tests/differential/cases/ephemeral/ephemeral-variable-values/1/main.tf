variable "word" {
  type      = string
  ephemeral = true
  validation {
    condition     = length(var.word) < 5
    error_message = "Too long."
  }
}
variable "list" {
  type      = list(object({ a = optional(string, "x") }))
  ephemeral = true
  default   = [{}]
}
variable "never_null" {
  type      = string
  ephemeral = true
  default   = "filled"
  nullable  = false
}
variable "not" {
  ephemeral = false
  default   = 1
}
output "types" {
  value = ephemeralasnull({
    list = var.list, word = var.word, never = var.never_null, not = var.not
  })
}
check "words" {
  assert {
    condition     = var.list[0].a == "x" && var.never_null == "filled"
    error_message = "No."
  }
}

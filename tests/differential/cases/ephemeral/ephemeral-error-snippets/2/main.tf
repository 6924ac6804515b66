variable "secret" {
  type      = string
  ephemeral = true
}
variable "object" {
  type      = map(string)
  ephemeral = true
}
variable "both" {
  type      = set(string)
  ephemeral = true
  sensitive = true
  default   = ["hidden-3"]
}
resource "terraform_data" "each" {
  for_each = var.both
}
resource "terraform_data" "count" {
  count = length(var.both)
}
resource "terraform_data" "self" {
  input = { a = var.secret }
  lifecycle {
    postcondition {
      condition     = self.input.a == var.secret
      error_message = "Different."
    }
  }
}
check "c" {
  assert {
    condition     = tonumber(var.secret) > 1
    error_message = "No."
  }
}

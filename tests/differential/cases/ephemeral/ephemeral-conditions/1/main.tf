variable "secret" {
  type      = string
  ephemeral = true
}
resource "terraform_data" "r" {
  input = 1
  lifecycle {
    precondition {
      condition     = var.secret != ""
      error_message = "Empty."
    }
    postcondition {
      condition     = self.input == 1 && var.secret == "hidden-1"
      error_message = "Not as it was: ${var.secret}"
    }
  }
}
output "o" {
  value = 1
  precondition {
    condition     = length(var.secret) == 8
    error_message = "Length."
  }
}
check "c" {
  assert {
    condition     = var.secret == "another"
    error_message = "It is ${var.secret}."
  }
  assert {
    condition     = var.secret == "another"
    error_message = "It is ${ephemeralasnull(var.secret) == null ? "hidden" : "seen"}."
  }
}

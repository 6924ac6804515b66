locals {
  phase = terraform.applying ? "apply" : "plan"
}
resource "terraform_data" "r" {
  input = "x"
  lifecycle {
    precondition {
      condition     = terraform.applying || local.phase == "plan"
      error_message = "Contradiction."
    }
    postcondition {
      condition     = !terraform.applying
      error_message = "Applying."
    }
  }
}
output "o" {
  value = ephemeralasnull(local.phase)
}
check "phase" {
  assert {
    condition     = local.phase == "plan"
    error_message = "This is the apply."
  }
}

terraform {
  required_providers {
    builtin = { source = "terraform.io/builtin/terraform" }
  }
}

resource "terraform_data" "a" {
  input = provider::builtin::encode_expr([1, "a"])
}

output "implied" {
  value = provider::terraform::encode_expr(null)
}

output "each" {
  value = [for x in [1.5, null] : provider::terraform::encode_expr(x)]
}

check "condition" {
  assert {
    condition     = terraform_data.a.id != "" && provider::terraform::encode_expr(1) == "1"
    error_message = "no"
  }
}

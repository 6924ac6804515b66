terraform {
  required_providers {
    terraform = {
      source = "terraform.io/builtin/terraform"
    }
  }
}
locals {
  l01 = provider::terraform::encode_tfvars([1])
  l02 = provider::terraform::encode_tfvars({"a b" = 1})
  l03 = provider::terraform::decode_tfvars("a = ")
  l04 = provider::terraform::decode_tfvars("a {}")
  l05 = provider::terraform::decode_tfvars(null)
  l06 = provider::terraform::nope()
  l07 = provider::terraform::encode_expr()
  l08 = provider::other::f()
}

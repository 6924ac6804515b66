terraform {
  required_providers {
    terraform = { source = "terraform.io/builtin/terraform" }
  }
}
output "encode_list" { value = provider::terraform::encode_tfvars([1]) }
output "encode_key" { value = provider::terraform::encode_tfvars({ "a b" = 1 }) }
output "encode_null" { value = provider::terraform::encode_tfvars(null) }
output "decode_syntax" { value = provider::terraform::decode_tfvars("a = ") }
output "decode_reference" { value = provider::terraform::decode_tfvars("a = var.x") }
output "decode_block" { value = provider::terraform::decode_tfvars("a {}") }
output "decode_number" { value = provider::terraform::decode_tfvars(5) }
output "expr_none" { value = provider::terraform::encode_expr() }

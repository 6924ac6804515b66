terraform {
  required_providers {
    terraform = { source = "terraform.io/builtin/terraform" }
  }
}
output "encode" { value = provider::terraform::encode_tfvars({ a = 1, b = "x\"$${y}", c = [true, null], d = { "e f" = 1, g = {} } }) }
output "decode" { value = provider::terraform::decode_tfvars("a = 1\nb = [\"x\", { c = null }]\n") }
output "expr" { value = [for x in [1.5, "a\nb", true, null, [1, ["x"]], { a = 1 }, toset(["b", "a"]), tomap({ "x y" = 1 })] : provider::terraform::encode_expr(x)] }
output "round" { value = provider::terraform::decode_tfvars(provider::terraform::encode_tfvars({ x = { y = [1, "z"] } })).x.y[1] }

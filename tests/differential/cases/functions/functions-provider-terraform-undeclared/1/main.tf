output "o01" {
  value = provider::terraform::encode_expr(1)
}
